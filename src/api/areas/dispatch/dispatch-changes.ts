/** Finds the events of the log that concern dispatch boards, once for all subscribers. */
import type { Position, StoredEvent } from '../../../events/core/log.js';
import { DISPATCH_PREFIX } from '../../../events/dispatch/events.js';
import { ORDER_PREFIX } from '../../../events/orders/events.js';
import { ROUTE_PREFIX } from '../../../events/routes/events.js';
import type { BoardQueries } from '../../../projections/dispatch/board.js';

export const BOARD_PREFIXES = [ORDER_PREFIX, ROUTE_PREFIX, DISPATCH_PREFIX];

export interface DispatchChange {
  readonly position: Position;
  readonly stream: string;
  readonly type: string;
  readonly at: string;
  /** Route of the order. */
  readonly route?: number;
  /** Desk of a board event; 0: the desk of the business. */
  readonly desk?: number;
  readonly item?: string;
  readonly by?: number;
  readonly took_over_from?: number;
}

/** Changes of one business. */
export interface DispatchChanges {
  readonly changes: readonly DispatchChange[];
  /** Orders with changes. */
  readonly orders: readonly number[];
  /** Routes with changes, and the routes of the changed orders. */
  readonly routes: readonly number[];
}

/** Changes of the wanted businesses, by business id. */
export async function dispatchChangesIn(
  events: readonly StoredEvent[],
  businesses: ReadonlySet<number>,
  boards: Pick<BoardQueries, 'ownersOf'>,
): Promise<ReadonlyMap<number, DispatchChanges>> {
  const owners = new Map(
    (await boards.ownersOf(idsIn(events, ORDER_PREFIX), idsIn(events, ROUTE_PREFIX))).map((owner) => [
      owner.stream,
      owner,
    ]),
  );
  const found = new Map<number, DispatchChange[]>();
  for (const event of events) {
    const owner = owners.get(event.stream);
    const business = owner?.business ?? Number(event.stream.split('-')[1]);
    if (!businesses.has(business) || (!owner && !event.stream.startsWith(DISPATCH_PREFIX))) continue;
    const change = {
      ...commonFields(event),
      ...(owner?.route_id != null && { route: owner.route_id }),
      ...decisionFields(event),
    };
    found.set(business, [...(found.get(business) ?? []), change]);
  }
  return new Map([...found].map(([business, changes]) => [business, toDispatchChanges(changes)]));
}

const toDispatchChanges = (changes: readonly DispatchChange[]): DispatchChanges => ({
  changes,
  orders: idsIn(changes, ORDER_PREFIX),
  routes: [...new Set(changes.flatMap(({ route }) => route ?? []))],
});

const idsIn = (named: readonly { readonly stream: string }[], prefix: string): number[] => [
  ...new Set(
    named.filter(({ stream }) => stream.startsWith(prefix)).map(({ stream }) => Number(stream.slice(prefix.length))),
  ),
];

const commonFields = ({ position, stream, type, metadata }: StoredEvent): DispatchChange => ({
  position,
  stream,
  type,
  at: metadata['recorded_at'] as string,
});

function decisionFields({ stream, data }: StoredEvent): Partial<DispatchChange> {
  if (!stream.startsWith(DISPATCH_PREFIX)) return {};
  const {
    item,
    by,
    desk = 0,
    took_over_from,
  } = data as unknown as Required<Pick<DispatchChange, 'item' | 'by'>> & DispatchChange;
  return { item, by, desk, ...(took_over_from !== undefined && { took_over_from }) };
}
