/**
 * Finds the positions of the stops of new orders. The service accepts an order immediately, and followers of the log
 * add the positions shortly after. A plan that runs earlier looks up the positions itself.
 *
 * - One follower searches the business's own datasets of places.
 * - Another follower queries a geocoding server that allows bulk requests. It is separate, so that a slow server delays
 *   nothing else.
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

/**
 * Maximum wait for the read models, in milliseconds. A record that was stored just before the order should be found.
 */
const WAIT_MS = 2_000;
/** Number of orders that the server is queried for before the follower stores its position. */
const SERVER_BATCH_SIZE = 20;
/** Number of stops that are written concurrently. */
const CONCURRENCY = 20;

interface UnlocatedStop {
  readonly event: StoredEvent;
  readonly order: NewOrderData;
  readonly kind: StopKind;
  readonly stop: Stop;
}

/** Starts the followers. Returns a function that stops them. */
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
  async function unlocatedStops(events: readonly StoredEvent[]): Promise<UnlocatedStop[]> {
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

  async function locateByDatasets(batch: Batch): Promise<void> {
    const created = createdIn(batch);
    if (created.length === 0) return;
    await Promise.all(
      (['datasets', 'records'] as const).map((name) => progress.waitFor(name, batch.position, WAIT_MS)),
    );
    const businessOf = ({ data }: StoredEvent) => data['business'] as number;
    const datasetOwners = await geocode.keepers([...new Set(created.map(businessOf))]);
    const byBusiness = new Map<number, UnlocatedStop[]>();
    for (const one of await unlocatedStops(created.filter((event) => datasetOwners.has(businessOf(event)))))
      byBusiness.set(one.order.business, [...(byBusiness.get(one.order.business) ?? []), one]);
    for (const [business, stops] of byBusiness) {
      const locations = await geocode.fromDatasets(
        business,
        stops.map(({ stop }) => stop),
      );
      for (let at = 0; at < stops.length; at += CONCURRENCY)
        await Promise.all(
          stops.slice(at, at + CONCURRENCY).map((one, index) => recordPosition(one, locations[at + index]!)),
        );
    }
  }

  /** If the server does not respond for a stop, a plan queries it again later. */
  async function locateByServer(batch: Batch): Promise<void> {
    for (const one of await unlocatedStops(createdIn(batch))) {
      const [location] = await geocode(one.order.business, [one.stop], { bulk: true });
      await recordPosition(one, location!);
    }
  }

  async function recordPosition(
    { event, order, kind }: UnlocatedStop,
    location: Awaited<ReturnType<Geocode['fromDatasets']>>[number],
  ) {
    if (!isLocated(location)) return;
    const { position, precision, confidence, source } = location;
    // The order may reject the command, because it may have changed in the meantime. The command id is derived from the
    // event, so a repeated command changes nothing.
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
        // The actor is the system, because the user who created the order did not give this command.
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
      background: true,
      batch,
      take,
      onError: (error) =>
        logger.error({ follower: reader.name, err: error }, 'a follower of the log failed, trying again'),
    });
  const followers = [
    follow(ORDER_PLACES, locateByDatasets),
    ...(geocode.supportsBulk() ? [follow(ORDER_GEOCODING, locateByServer, SERVER_BATCH_SIZE)] : []),
  ];
  return async () => void (await Promise.all(followers.map((follower) => follower.stop())));
}
