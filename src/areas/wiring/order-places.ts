/**
 * Finds where the stops of new orders are. Followers of the log: an order is taken at once, and its position comes a
 * moment later; a plan that is faster looks for itself. One asks the business's own datasets of places. Where a server
 * may be asked in bulk, another one asks it, so that a slow server holds up nothing else.
 */
import { isLocated, type Geocode } from '../../api/areas/datasets/geocode.js';
import type { Parts } from '../../api/core/parts.js';
import type { Commands } from '../../commands/commands.js';
import { DomainError } from '../../commands/core/domain-error.js';
import { causedBy } from '../../commands/orders/following.js';
import type { Engines } from '../../engines/open.js';
import { decode, unseal } from '../../events/core/codec.js';
import type { Batch, StoredEvent } from '../../events/core/log.js';
import {
  ORDER_PREFIX,
  OrderCreated,
  orderStream,
  orderSubject,
  STOP_KINDS,
  type NewOrderData,
  type Stop,
  type StopKind,
} from '../../events/orders/events.js';
import { derivedId } from '../../events/otep/identity.js';
import { startFollower } from '../../projections/core/follower.js';

export const ORDER_PLACES = { name: 'order_places', version: 1, prefixes: [ORDER_PREFIX] } as const;
export const ORDER_GEOCODING = { name: 'order_geocoding', version: 1, prefixes: [ORDER_PREFIX] } as const;

/** A record that was put just before the order is to be found; longer than this nobody is held up. */
const WAIT_MS = 2_000;
/** Orders that a server is asked of before the follower's place is stored. */
const ASKED_BATCH = 20;
/** Orders that are loaded and written to side by side. */
const AT_ONCE = 20;

interface Searched {
  readonly event: StoredEvent;
  readonly order: NewOrderData;
  readonly kind: StopKind;
  readonly stop: Stop;
}

/** Returns how to stop them. */
export function startOrderPlaces({
  types,
  engines: { log, projectionPool: pool, keyRing, holder: owner },
  commands,
  geocode,
  progress,
  logger,
}: Parts<'types' | 'progress' | 'logger'> & {
  engines: Pick<Engines, 'log' | 'projectionPool' | 'keyRing' | 'holder'>;
  commands: Pick<Commands, 'orders'>;
  geocode: Geocode;
}): () => Promise<void> {
  const createdIn = ({ events }: Batch) => events.filter(({ type }) => type === OrderCreated.type);

  /** Stops without coordinates. */
  async function searched(events: readonly StoredEvent[]): Promise<Searched[]> {
    if (events.length === 0) return [];
    const keys = await keyRing.existing(events.map(({ data }) => orderSubject(data['order_id'] as number)));
    return events.flatMap((event) => {
      const order = unseal(decode(event, types), event.id, keys) as unknown as NewOrderData;
      return STOP_KINDS.flatMap((kind) => {
        const stop = order[kind];
        return stop && !stop.position ? [{ event, order, kind, stop }] : [];
      });
    });
  }

  async function lookUp(batch: Batch): Promise<void> {
    const created = createdIn(batch);
    if (created.length === 0) return;
    await Promise.all(
      (['datasets', 'records'] as const).map((name) => progress.waitFor(name, batch.position, WAIT_MS)),
    );
    const businessOf = ({ data }: StoredEvent) => data['business'] as number;
    const keepers = await geocode.keepers([...new Set(created.map(businessOf))]);
    const byBusiness = new Map<number, Searched[]>();
    for (const one of await searched(created.filter((event) => keepers.has(businessOf(event)))))
      byBusiness.set(one.order.business, [...(byBusiness.get(one.order.business) ?? []), one]);
    for (const [business, stops] of byBusiness) {
      const answers = await geocode.own(
        business,
        stops.map(({ stop }) => stop),
      );
      for (let at = 0; at < stops.length; at += AT_ONCE)
        await Promise.all(stops.slice(at, at + AT_ONCE).map((one, index) => tell(one, answers[at + index]!)));
    }
  }

  /** What a server does not answer, a plan asks for again. */
  async function askServers(batch: Batch): Promise<void> {
    for (const one of await searched(createdIn(batch))) {
      const [answer] = await geocode(one.order.business, [one.stop], { bulk: true });
      await tell(one, answer!);
    }
  }

  async function tell({ event, order, kind }: Searched, answer: Awaited<ReturnType<Geocode['own']>>[number]) {
    if (!isLocated(answer)) return;
    const { position, precision, confidence, source } = answer;
    // What the order has become meanwhile may refuse it; the id follows from the event, so twice is once.
    await commands
      .orders(
        orderStream(order.order_id),
        {
          do: 'locate',
          commandId: derivedId(ORDER_PLACES.name, event.id, kind),
          orderId: order.order_id,
          business: order.business,
          stop: kind,
          position,
          precision,
          confidence,
          source,
        },
        // Whoever made the order did not do this; it only follows from it.
        { ...causedBy(event), actor: { kind: 'system', id: ORDER_PLACES.name }, channel: 'system' },
      )
      .catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
      });
  }

  const follow = (
    reader: typeof ORDER_PLACES | typeof ORDER_GEOCODING,
    take: (batch: Batch) => Promise<void>,
    batch = 500,
  ) =>
    startFollower({
      reader,
      log,
      pool,
      owner,
      progress,
      patient: true,
      batch,
      take,
      onError: (error) =>
        logger.error({ follower: reader.name, err: error }, 'a follower of the log failed, trying again'),
    });
  const followers = [
    follow(ORDER_PLACES, lookUp),
    ...(geocode.asksInBulk() ? [follow(ORDER_GEOCODING, askServers, ASKED_BATCH)] : []),
  ];
  return async () => void (await Promise.all(followers.map((follower) => follower.stop())));
}
