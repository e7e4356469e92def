/** Streams by the number of a parcel: who looks for what happened knows that, and no names of streams. */
import { TRACKING_PREFIX, trackingStream } from '../../../events/trackings/events.js';
import { openIdentifiers } from '../../../projections/trackings/naming.js';
import type { TrackingHead, TrackingQueries } from '../../../projections/trackings/queries.js';
import { userOf, type Caller } from '../../core/callers.js';

export interface ParcelStreamsOptions {
  readonly trackings: TrackingQueries;
  /** What names of streams begin with. */
  readonly prefixes: readonly string[];
}

/** Lives of one number that are looked at: carriers use numbers again after years. */
const MOST_LIVES = 20;

export type ParcelStreams = ReturnType<typeof createParcelStreams>;

export function createParcelStreams({ trackings, prefixes }: ParcelStreamsOptions) {
  const isName = (text: string): boolean => prefixes.some((prefix) => text.startsWith(prefix));

  /** A business's own parcels; for the platform's people carriers' own, which belong to no business. */
  async function headsOf(number: string, caller: Caller): Promise<readonly TrackingHead[]> {
    const { businessId } = userOf(caller);
    const found = await trackings.byAnyIdentifier(openIdentifiers(number));
    const theirs = ({ owner }: TrackingHead): boolean =>
      businessId === undefined
        ? owner.kind === 'provider'
        : owner.kind === 'business' && owner.id === String(businessId);
    return found.filter(theirs).slice(0, MOST_LIVES);
  }

  /** The stream that a name or a number means to the caller; undefined where a number means none. */
  async function one(nameOrNumber: string, caller: Caller): Promise<string | undefined> {
    if (isName(nameOrNumber)) return nameOrNumber;
    const [head] = await headsOf(nameOrNumber, caller);
    return head && trackingStream(head.id);
  }

  /** All that happened to a parcel: the streams of every life of the number, and of the orders that they belong to. */
  async function all(nameOrNumber: string, caller: Caller): Promise<readonly string[]> {
    if (isName(nameOrNumber)) return [nameOrNumber];
    const heads = await headsOf(nameOrNumber, caller);
    const rows = await Promise.all(heads.map(({ id }) => trackings.byId(id)));
    const orders = rows.flatMap((row) => row?.subject.order_id ?? []);
    return [...new Set([...heads.map(({ id }) => trackingStream(id)), ...orders.map((id) => `order-${id}`)])];
  }

  /** Whether a stream is a carrier's own parcel: no index has those. */
  async function isCarriers(stream: string): Promise<boolean> {
    const row = stream.startsWith(TRACKING_PREFIX)
      ? await trackings.byId(stream.slice(TRACKING_PREFIX.length))
      : undefined;
    return row?.owner.kind === 'provider';
  }

  return { one, all, isCarriers };
}
