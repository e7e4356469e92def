/** Submits the open label orders of a business to their carriers, for a limited time. A follower continues. */
import type { Cause, Handle } from '../../../commands/core/handle.js';
import type { ManifestCommand, ManifestReply } from '../../../commands/manifests/command.js';
import type { FollowManifests } from '../../../commands/manifests/following.js';
import type { OpenLabels } from '../../../commands/manifests/open-labels.js';
import type { ManifestReader } from '../../../commands/manifests/reader.js';
import type { CarrierAdapter } from '../../../engines/outside/carriers/port.js';
import { isEnded, type EffectProgress } from '../../../events/effects/progress.js';
import { manifestStream, type NewManifest } from '../../../events/manifests/events.js';
import type { Manifest } from '../../../events/manifests/manifest.js';
import { MANIFEST_IDS } from '../../../projections/manifests/read-model.js';
import type { ManifestQueries, OpenLabelFilter } from '../../../projections/manifests/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import type { Context } from '../../core/operation.js';
import type { createInTurn } from './in-turn.js';
import { planManifests, type PlannedManifest } from './plan-manifests.js';
import type { SubmitOrders, Submitted } from './submit-orders.js';

export interface EndDayOptions {
  readonly queries: Pick<ManifestQueries, 'openLabels'>;
  readonly openLabels: OpenLabels;
  readonly manifests: Handle<ManifestCommand, ManifestReply>;
  readonly read: ManifestReader;
  readonly follow: Pick<FollowManifests, 'fill' | 'settle'>;
  readonly submit: SubmitOrders['submit'];
  readonly adapterOf: (id: string) => Pick<CarrierAdapter, 'manifest'> | undefined;
  /** Whether calls to the account are suspended. */
  readonly isUnavailable: (account: { readonly id: number; readonly adapter: string }) => boolean;
  readonly perform: (begun: {
    readonly stream: string;
    readonly effect: EffectProgress;
    readonly changed: boolean;
    readonly cause: Pick<Cause, 'dryRun'>;
    readonly usedMs?: number;
  }) => Promise<EffectProgress>;
  /** Time for which a request performs effects and changes labels, in milliseconds. The response follows soon. */
  readonly inlineMs: number;
  readonly inTurn: ReturnType<typeof createInTurn>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface EndedDay extends Submitted {
  readonly manifests: readonly Manifest[];
  /** Accounts that cannot be asked now. Their orders stay open. */
  readonly unavailable: readonly number[];
  /** More orders are open than one call submits. */
  readonly hasMore: boolean;
}

/** `waitMs`: time to wait for the carriers, from the beginning of the request. */
export type EndDay = (filter: OpenLabelFilter, waitMs: number, context: Context) => Promise<EndedDay>;

/** Maximum number of manifests, and of orders, of one call. */
const MAX_MANIFESTS = 20;
const MAX_ORDERS = 10_000;
/** Part of the time of a request (`inlineMs`, 12 s) in which labels join. The background continues afterwards. */
const JOIN_PART = 5 / 6;
/** Number of carriers that are asked at the same time. */
const AT_ONCE = 4;

export function createEndDay(options: EndDayOptions): EndDay {
  const { queries, openLabels, manifests, read, follow, submit, adapterOf, isUnavailable, perform, inTurn } = options;
  const { inlineMs, now } = options;

  return async function endDay(filter, waitMs, context) {
    const { caller, cause, time } = context;
    const business = businessOf(caller);
    const isOver = (): boolean => now() - time >= inlineMs * JOIN_PART;

    const { begun, ...joined } = await inTurn(business, async () => {
      const found = await queries.openLabels(filter, business, MAX_ORDERS + 1);
      const planned = planManifests(found.slice(0, MAX_ORDERS));
      const toSubmit = planned.filter((one) => kindOf(one) === 'submitted');
      const toOpen = planned.filter((one) => kindOf(one) === 'asked');
      const unavailable = planned.filter((one) => kindOf(one) === 'unavailable');
      const opened = await openAll(toOpen.slice(0, MAX_MANIFESTS), context, isOver);
      const submitted = await submit(
        toSubmit.flatMap(({ orderIds }) => orderIds),
        context,
        isOver,
      );
      return {
        ...submitted,
        skipped: submitted.skipped + opened.skipped,
        begun: opened.manifests,
        unavailable: [...new Set(unavailable.map(({ accountId }) => accountId))],
        hasMore: found.length > MAX_ORDERS || toOpen.length > MAX_MANIFESTS,
      };
    });
    if (cause.dryRun) return { ...joined, manifests: begun };
    const manifestsNow: Manifest[] = [];
    for (let start = 0; start < begun.length; start += AT_ONCE)
      manifestsNow.push(
        ...(await Promise.all(begun.slice(start, start + AT_ONCE).map((one) => finish(one, context, waitMs)))),
      );
    return { ...joined, manifests: manifestsNow };
  };

  /** A carrier without manifests is not asked: its orders are only marked as submitted. */
  function kindOf({ accountId: id, adapter: name }: PlannedManifest): 'asked' | 'submitted' | 'unavailable' {
    const adapter = adapterOf(name);
    if (adapter && !adapter.manifest) return 'submitted';
    return adapter && !isUnavailable({ id, adapter: name }) ? 'asked' : 'unavailable';
  }

  /** Opens the manifests, and lets their labels join as far as there is time. */
  async function openAll(planned: readonly PlannedManifest[], context: Context, isOver: () => boolean) {
    const { caller, cause, reserveIds, wrote } = context;
    const ids = await reserveIds(MANIFEST_IDS, planned.length);
    const opened: Manifest[] = [];
    let skipped = 0;
    for (const [index, { accountId, adapter, shipDate, orderIds }] of planned.slice(0, ids.length).entries()) {
      const open = await openLabels(orderIds);
      skipped += orderIds.length - open.length;
      if (open.length === 0) continue;
      const manifest: NewManifest = {
        manifest_id: ids[index]!,
        business: businessOf(caller),
        account_id: accountId,
        adapter,
        ship_date: shipDate,
        order_ids: [...open],
        opened_by: userOf(caller).userId,
      };
      const stream = manifestStream(manifest.manifest_id);
      const { reply, position } = await manifests(stream, { do: 'open', manifest }, cause);
      wrote(position);
      opened.push(reply.manifest!);
      if (!cause.dryRun && !isOver()) await follow.fill(stream, isOver);
    }
    return { manifests: opened, skipped };
  }

  /** Asks the carrier, and brings the labels to the result, as far as there is time. Returns the manifest after that. */
  async function finish({ manifest_id }: Manifest, { cause, wrote, time }: Context, waitMs: number): Promise<Manifest> {
    const stream = manifestStream(manifest_id);
    const [effect] = [...(await read(stream)).state.effects.values()];
    const leftMs = time + Math.min(waitMs, inlineMs) - now();
    if (effect && !isEnded(effect) && leftMs > 0)
      await perform({ stream, effect, changed: true, cause, usedMs: inlineMs - leftMs });
    wrote(await follow.settle(stream, { isOver: () => now() - time >= inlineMs }));
    const { state, past } = await read(stream);
    wrote(past.at(-1)?.position);
    return state.manifest!;
  }
}
