/** What an item of the board is about. */
import { orderStream } from '../../../events/orders/events.js';
import { planStream } from '../../../events/plans/events.js';
import { routeStream } from '../../../events/routes/events.js';
import { SOURCES } from '../../../projections/dispatch/sources/index.js';
import { ApiError } from '../../core/errors.js';

export interface Subject {
  readonly kind: string;
  readonly about: 'order' | 'route' | 'plan';
  readonly id: number;
  readonly stream: string;
}

const STREAMS = { order: orderStream, route: routeStream, plan: planStream } as const;

/** What an item's id says that it is about. Throws ITEM_GONE. */
export function subjectOf(item: string): Subject {
  const [, kind, digits] = /^([a-z_]{1,40}):(\d{1,9})(?::\d{1,4})?$/.exec(item) ?? [];
  const source = SOURCES.find((one) => one.kind === kind);
  if (!source) throw new ApiError('ITEM_GONE');
  const id = Number(digits);
  return { kind: source.kind, about: source.about, id, stream: STREAMS[source.about](id) };
}
