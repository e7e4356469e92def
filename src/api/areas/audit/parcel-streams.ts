/** Finds streams by tracking number, because users know tracking numbers but not stream names. */
import { TRACKING_PREFIX, trackingStream } from '../../../events/trackings/events.js';
import { openIdentifiers } from '../../../projections/trackings/naming.js';
import type { TrackingHead, TrackingQueries } from '../../../projections/trackings/queries.js';
import { userOf, type Caller } from '../../core/callers.js';

export interface ParcelStreamsOptions {
  readonly trackings: TrackingQueries;
  /** Prefixes of stream names. */
  readonly prefixes: readonly string[];
}

/** Maximum number of trackings per tracking number: carriers reuse numbers after years. */
const MAX_TRACKINGS = 20;

export type ParcelStreams = ReturnType<typeof createParcelStreams>;

export function createParcelStreams({ trackings, prefixes }: ParcelStreamsOptions) {
  const isStreamName = (text: string): boolean => prefixes.some((prefix) => text.startsWith(prefix));

  /**
   * The trackings of the caller's business; for platform staff, the parcels of carriers, which belong to no business.
   */
  async function headsOf(number: string, caller: Caller): Promise<readonly TrackingHead[]> {
    const { businessId } = userOf(caller);
    const found = await trackings.byAnyIdentifier(openIdentifiers(number));
    const isVisible = ({ owner }: Pick<TrackingHead, 'owner'>): boolean =>
      businessId === undefined
        ? owner.kind === 'provider'
        : owner.kind === 'business' && owner.id === String(businessId);
    return found
      .filter(isVisible)
      .flatMap(({ trackings }) => trackings.toReversed())
      .slice(0, MAX_TRACKINGS);
  }

  /** The stream for a stream name or a tracking number; undefined if the caller has no tracking with this number. */
  async function streamOf(nameOrNumber: string, caller: Caller): Promise<string | undefined> {
    if (isStreamName(nameOrNumber)) return nameOrNumber;
    const [head] = await headsOf(nameOrNumber, caller);
    return head && trackingStream(head.id);
  }

  /** All streams of a parcel: every tracking with this number, and the orders of these trackings. */
  async function streamsOf(nameOrNumber: string, caller: Caller): Promise<readonly string[]> {
    if (isStreamName(nameOrNumber)) return [nameOrNumber];
    const heads = await headsOf(nameOrNumber, caller);
    const rows = await Promise.all(heads.map(({ id }) => trackings.byId(id)));
    const orders = rows.flatMap((row) => row?.subject.order_id ?? []);
    return [...new Set([...heads.map(({ id }) => trackingStream(id)), ...orders.map((id) => `order-${id}`)])];
  }

  /** Whether a stream is a tracking that belongs to a carrier. The audit index does not contain such streams. */
  async function isCarrierStream(stream: string): Promise<boolean> {
    const row = stream.startsWith(TRACKING_PREFIX)
      ? await trackings.byId(stream.slice(TRACKING_PREFIX.length))
      : undefined;
    return row?.owner.kind === 'provider';
  }

  return { streamOf, streamsOf, isCarrierStream };
}
