/**
 * Brings the labels of a manifest into the manifest, and to its result. The request of the end of the day does this, and
 * a follower of the log continues if a process ends in between. Every step can be repeated, also by several processes at
 * the same time:
 *
 * 1. `ManifestOpened` names the orders. Each of them joins in its own stream, or is refused there.
 * 2. `ManifestLabelsListed` names the labels that have joined, and begins the call to the carrier.
 * 3. A label that joined too late to be listed leaves the manifest.
 * 4. After the call, each listed label is confirmed, or leaves the manifest with the reason of the carrier.
 */
import QuickLRU from 'quick-lru';
import type { Position, StoredEvent } from '../../events/core/log.js';
import { labelOrderIdOf, labelStream, NOT_LISTED } from '../../events/labels/events.js';
import type { LabelOrder } from '../../events/labels/order.js';
import { hasLabel } from '../../events/labels/state.js';
import { manifestStream, type ManifestLabel } from '../../events/manifests/events.js';
import { manifestStatusOf, ordersOf, refusedLabels, type Manifest } from '../../events/manifests/manifest.js';
import { derivedId } from '../../events/otep/identity.js';
import { DomainError } from '../core/domain-error.js';
import type { Cause, Handle } from '../core/handle.js';
import type { LabelChange, LabelCommand, LabelReply } from '../labels/command.js';
import { causedBy } from '../orders/following.js';
import type { ManifestCommand, ManifestReply } from './command.js';
import type { ManifestReader } from './reader.js';

export interface FollowManifestsOptions {
  readonly read: ManifestReader;
  readonly labels: Handle<LabelCommand, LabelReply>;
  readonly manifests: Handle<ManifestCommand, ManifestReply>;
  /** Keyed digest of the request to the carrier with these labels. */
  readonly digestOf: (manifest: Manifest, labels: readonly ManifestLabel[]) => string;
}

/** Number of orders that are changed at the same time. One append can contain the events of several. */
const AT_ONCE = 50;
/** Number of labels that are known to have the result of their manifest. A forgotten one is asked again. */
const KNOWN = 20_000;
/** No limit of time. */
const never = (): boolean => false;

export type FollowManifests = ReturnType<typeof createFollowManifests>;

export function createFollowManifests({ read, labels, manifests, digestOf }: FollowManifestsOptions) {
  /** Labels of closed and failed manifests that have their result. */
  const settled = new QuickLRU<string, true>({ maxSize: KNOWN });

  /** Undefined: the state of the order refuses the command. */
  async function send(manifest: Manifest, orderId: number, change: LabelChange, cause: Cause) {
    const { manifest_id, business } = manifest;
    const commandId = derivedId('manifest', manifest_id, orderId, change.do);
    const command = { ...change, commandId, orderId, business };
    return labels(labelStream(orderId), command, cause).catch((error: unknown) => {
      if (error instanceof DomainError) return undefined;
      throw error;
    });
  }

  /** Runs `work` for all orders. Returns false if the time is over before. */
  async function inPortions(
    orderIds: readonly number[],
    isOver: () => boolean,
    work: (orderId: number) => Promise<void>,
  ): Promise<boolean> {
    for (let start = 0; start < orderIds.length; start += AT_ONCE) {
      if (isOver()) return false;
      await Promise.all(orderIds.slice(start, start + AT_ONCE).map(work));
    }
    return true;
  }

  /**
   * Steps 1 to 3. Does nothing if the labels are listed already. `isOver`: the time of the caller is over, and the
   * background continues. Returns whether the labels are listed now.
   */
  async function fill(stream: string, isOver: () => boolean = never): Promise<boolean> {
    const { state, past } = await read(stream);
    const { manifest } = state;
    if (!manifest) return false;
    if (manifestStatusOf(manifest) !== 'opening') return true;
    const cause = causedBy(past[0]!);
    const joined = new Map<number, readonly ManifestLabel[]>();
    const isComplete = await inPortions(manifest.order_ids, isOver, async (orderId) => {
      const change = { do: 'join_manifest', manifestId: manifest.manifest_id } as const;
      const handled = await send(manifest, orderId, change, cause);
      if (handled && isIn(handled.reply.order, manifest)) joined.set(orderId, labelsOf(orderId, handled.reply.order));
    });
    if (!isComplete) return false;
    const listed = manifest.order_ids.flatMap((orderId) => joined.get(orderId) ?? []);
    await manifests(stream, { do: 'list', labels: listed, digest: digestOf(manifest, listed) }, cause);
    await settle(stream);
    return true;
  }

  /**
   * Steps 3 and 4, as far as the manifest has come. `only`: the orders to look at; absent: all. Returns the position of
   * the last write.
   */
  async function settle(
    stream: string,
    { only, isOver = never }: { readonly only?: readonly number[]; readonly isOver?: () => boolean } = {},
  ): Promise<Position | undefined> {
    const { state, past } = await read(stream);
    const { manifest } = state;
    if (!manifest || manifestStatusOf(manifest) === 'opening') return undefined;
    const cause = causedBy(past.at(-1)!);
    const changeOf = resultsOf(manifest);
    let last: Position | undefined;
    await inPortions(only ?? manifest.order_ids, isOver, async (orderId) => {
      const change = changeOf(orderId);
      const key = `${stream}/${orderId}`;
      if (!change || settled.has(key)) return;
      const position = (await send(manifest, orderId, change, cause))?.position;
      if (isFinal(change)) settled.set(key, true);
      if (position !== undefined && (last === undefined || position > last)) last = position;
    });
    return last;
  }

  return {
    fill,
    settle,

    /** Labels have joined these manifests: some may be too late to be listed. */
    async followJoined(events: readonly StoredEvent[]): Promise<void> {
      const orders = new Map<number, Set<number>>();
      for (const { stream, data } of events) {
        const manifestId = data['manifest_id'] as number;
        orders.set(manifestId, (orders.get(manifestId) ?? new Set()).add(labelOrderIdOf(stream)));
      }
      for (const [manifestId, ids] of orders) await settle(manifestStream(manifestId), { only: [...ids] });
    },
  };
}

const isIn = ({ manifest }: LabelOrder, { manifest_id }: Manifest): boolean =>
  manifest?.id === manifest_id && !manifest.is_confirmed;

/** A label that is not listed may join again after it was asked to leave, if a process was very slow. */
const isFinal = (change: LabelChange): boolean => change.do !== 'leave_manifest' || change.why !== NOT_LISTED;

/** The labels of an order. */
function labelsOf(orderId: number, order: LabelOrder): readonly ManifestLabel[] {
  const parcels = new Map(order.packages.map((parcel) => [parcel.package_id, parcel]));
  return order.shipments.filter(hasLabel).flatMap(({ bought, packages }) =>
    packages.flatMap((package_id) => {
      const { tracking_number, billed_weight_kg: weight_kg } = parcels.get(package_id)!;
      if (tracking_number === undefined) return [];
      const label = { order_id: orderId, package_id, remote_id: bought!.remote_id, tracking_number };
      return [{ ...label, ...(weight_kg !== undefined && { weight_kg }) }];
    }),
  );
}

/** The command that brings an order to the result of the manifest; undefined: the result is not known yet. */
function resultsOf(manifest: Manifest): (orderId: number) => LabelChange | undefined {
  const { manifest_id: manifestId, labels = [], call, result } = manifest;
  const listed = new Set(ordersOf(labels));
  const refused = new Map(refusedLabels(manifest).map(({ order_id, code }) => [order_id, code]));
  const leave = (why: string): LabelChange => ({ do: 'leave_manifest', manifestId, why });
  return (orderId) => {
    if (!listed.has(orderId)) return leave(NOT_LISTED);
    if (call?.step === 'refused') return leave(call.code ?? '');
    if (!result) return undefined;
    const why = refused.get(orderId);
    return why === undefined ? { do: 'confirm_manifest', manifestId, carrierReference: result.reference } : leave(why);
  };
}
