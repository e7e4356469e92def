/** The subject of an item of the board: an order, route, plan or job. */
import { jobStream } from '../../../events/jobs/events.js';
import { orderStream } from '../../../events/orders/events.js';
import { planStream } from '../../../events/plans/events.js';
import { routeStream } from '../../../events/routes/events.js';
import { SOURCES } from '../../../projections/dispatch/sources/index.js';
import { ApiError } from '../../core/errors.js';

export type Subject = { readonly kind: string; readonly stream: string } & (
  | { readonly about: 'order' | 'route' | 'plan'; readonly id: number }
  /** `id`: a UUID. */
  | { readonly about: 'job'; readonly id: string }
);

const STREAMS = { order: orderStream, route: routeStream, plan: planStream } as const;

/** Parses the subject from the id of an item. Throws ITEM_GONE. */
export function subjectOf(item: string): Subject {
  const [, kind, digits, uuid] = /^([a-z_]{1,40}):(?:(\d{1,9})(?::\d{1,4})?|([0-9a-f-]{36}))$/.exec(item) ?? [];
  const source = SOURCES.find((one) => one.kind === kind);
  if (!source || (source.about === 'job') !== (uuid !== undefined)) throw new ApiError('ITEM_GONE');
  if (source.about === 'job') return { kind: source.kind, about: 'job', id: uuid!, stream: jobStream(uuid!) };
  const id = Number(digits);
  return { kind: source.kind, about: source.about, id, stream: STREAMS[source.about](id) };
}
