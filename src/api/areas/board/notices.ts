/**
 * Sends push messages about the route board to drivers: new route, reserved route, lost claim, end of the queue. Reads
 * the log, so that a crash skips no event. A message that is sent twice has the same id.
 */
import type { Batch, Position, StoredEvent } from '../../../events/core/log.js';
import type { Messenger, Push } from '../../../engines/messages/messenger.js';
import { derivedId } from '../../../events/otep/identity.js';
import { RouteClaimLost, RoutePosted, StandbyLeft, StandbyPromoted } from '../../../events/routes/board.js';
import { ROUTE_PREFIX } from '../../../events/routes/events.js';
import type { Parts } from '../../core/parts.js';

export const BOARD_NOTICES = { name: 'board_notices', version: 1, prefixes: [ROUTE_PREFIX] } as const;

const NOTICE_EVENT_TYPES: ReadonlySet<string> = new Set(
  [RoutePosted, RouteClaimLost, StandbyPromoted, StandbyLeft].map(({ type }) => type),
);
/** Older events cause no messages, because they are no longer news. */
const MAX_NOTICE_AGE_MS = 600_000;

/** A message without its id and business. */
type Notice = Pick<Push, 'to' | 'type'> & { readonly data?: Push['data'] };

export interface NoticesOptions extends Parts<'boards' | 'fleets' | 'now'> {
  readonly messenger: Messenger;
  /** Waits until the board read model contains the events up to this position. */
  readonly awaitReadModel: (position: Position) => Promise<unknown>;
}

export function createNotices({ messenger, boards, fleets, awaitReadModel, now }: NoticesOptions) {
  return async function notify({ events, position }: Pick<Batch, 'events' | 'position'>): Promise<void> {
    const recentEvents = events.filter(
      ({ type, metadata }) =>
        NOTICE_EVENT_TYPES.has(type) && now() - Date.parse(metadata['recorded_at'] as string) < MAX_NOTICE_AGE_MS,
    );
    if (recentEvents.length === 0) return;
    await awaitReadModel(position);
    for (const event of recentEvents) {
      const routeId = Number(event.stream.slice(ROUTE_PREFIX.length));
      const business = (await boards.byIds([routeId]))[0]?.business;
      if (business === undefined) continue;
      for (const { to, type, data } of await noticesOf(event, business))
        await messenger.push({
          id: derivedId('notice', event.id, to),
          business,
          to,
          type,
          data: { route_id: String(routeId), ...data },
        });
    }
  };

  async function noticesOf({ type, data }: StoredEvent, business: number): Promise<readonly Notice[]> {
    const to = data['driver_id'] as number;
    if (type === StandbyPromoted.type)
      return [{ to, type: 'board_held', data: { hold_until: data['hold_until'] as string } }];
    if (type === RouteClaimLost.type) return [{ to, type: 'board_claim_lost', data: { why: data['why'] as string } }];
    if (type === StandbyLeft.type) return data['why'] === 'self' ? [] : [{ to, type: 'board_standby_over' }];
    const ids = data['fleet_ids'] as readonly number[];
    const found = await Promise.all(ids.map((id) => fleets.byId(id, { business })));
    const drivers = new Set(found.flatMap((fleet) => fleet?.drivers ?? []));
    return [...drivers].map((driver) => ({ to: driver, type: 'board_posted' }));
  }
}
