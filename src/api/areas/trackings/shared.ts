/**
 * Timelines of partners' parcels, limited by their grants. They are not cached: each response is built after its
 * permission check.
 */
import { z } from 'zod';
import { unseal } from '../../../events/core/codec.js';
import { orderSubject, type NewOrderData } from '../../../events/orders/events.js';
import { timelineSchema } from '../../../events/otep/schema.js';
import { instantAt } from '../../../events/otep/time.js';
import type { AllianceAccess, SharedTracking } from '../../../projections/alliances/access.js';
import type { Taker } from '../../../projections/alliances/active-grants.js';
import { journeyOfRow, type View } from '../../../projections/trackings/journeys.js';
import type { Parts } from '../../core/parts.js';
import { viaSchema } from '../alliances/grantee.js';
import type { Chosen } from './formats.js';

const text = z.string().optional();
/** Partners need the address, but neither phone number nor e-mail address. */
const RECIPIENT = ['name', 'company', 'street', 'street_2', 'city', 'region', 'postal_code', 'country'] as const;
type Recipient = Partial<Record<(typeof RECIPIENT)[number], string>>;

/** A timeline. For a partner's parcel, it includes the grant that allows reading it. */
export const sharedSchema = timelineSchema
  .extend({
    recipient: z
      .object({
        name: text,
        company: text,
        street: text,
        street_2: text,
        city: text,
        region: text,
        postal_code: text,
        country: text,
      })
      .meta({ id: 'PartnerRecipient' })
      .optional()
      .describe('Recipient of a parcel of a partner, if the grant includes the recipient.'),
    via_alliance: viaSchema,
  })
  .meta({ id: 'OtepClientTimeline' });

export type SharedTimelines = ReturnType<typeof createSharedTimelines>;

export interface SharedTimelinesOptions extends Parts<'keyRing' | 'now' | 'baseUrl'> {
  readonly access: Pick<AllianceAccess, 'tracking'>;
  /** The native format. */
  readonly otep: () => Chosen;
}

export function createSharedTimelines({ access, keyRing, otep, now, baseUrl }: SharedTimelinesOptions) {
  async function viewOf({ kind, row }: SharedTracking): Promise<View> {
    return kind === 'tracking_full' ? { kind: 'partner', keys: await keyRing.existing([row.id]) } : { kind: 'public' };
  }

  async function recipientOf({ order }: SharedTracking): Promise<Recipient | undefined> {
    if (!order) return undefined;
    const { order_id } = order.data as unknown as { readonly order_id: number };
    const keys = await keyRing.existing([orderSubject(order_id)]);
    const { delivery = {} } = unseal(order.data, order.id, keys) as unknown as NewOrderData;
    return Object.fromEntries(
      RECIPIENT.flatMap((name) => (delivery[name] === undefined ? [] : [[name, delivery[name]]])),
    );
  }

  return {
    /** Returns the timeline of the giver's parcel with the number; undefined if no grant covers one. */
    async read(number: string, taker: Taker): Promise<z.infer<typeof sharedSchema> | undefined> {
      const found = await access.tracking(number, taker);
      if (!found) return undefined;
      const [view, recipient] = await Promise.all([viewOf(found), recipientOf(found)]);
      const journey = journeyOfRow(found.row, view, instantAt(now()));
      const timeline = otep().representation.serialize(journey, { baseUrl: baseUrl() }) as z.infer<
        typeof timelineSchema
      >;
      return { ...timeline, ...(recipient && { recipient }), via_alliance: found.via };
    },
  };
}
