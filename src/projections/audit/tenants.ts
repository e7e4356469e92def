/** The tenants of a stream, from the rule of its area and its first event. */
import type { StoredEvent } from '../../events/core/log.js';

/** Represents the platform instead of a business id. Ids of businesses start at 1. */
export const PLATFORM = 0;

/**
 * How the tenants of a stream are found:
 *
 * - `business`, `business_id`: the member of the first event that names the business. Without it, the business of the
 *   acting user, or else the platform.
 * - `actor`: the business of the acting user, else the platform.
 * - `owner`: the business that owns the parcel. Carriers' own parcels have no tenant.
 * - `each`: several businesses write to the stream, and each business sees its own events.
 * - `itself`: the stream represents a business. That business and the platform see it.
 * - `nobody`: not audited.
 */
export type TenantRule = 'business' | 'business_id' | 'actor' | 'owner' | 'each' | 'itself' | 'nobody';

/** A stream prefix with its tenant rule. */
export interface Tenancy {
  readonly prefix: string;
  readonly tenant: TenantRule;
}

/**
 * The tenants of a stream, from its first event: ids of businesses, or `PLATFORM`. Empty: only the acting business sees
 * an event.
 */
export function tenantsOf(event: StoredEvent, { prefix, tenant }: Tenancy): readonly number[] {
  const { data } = event;
  switch (tenant) {
    case 'nobody':
    case 'each':
      return [];
    case 'itself':
      return [PLATFORM, Number(event.stream.slice(prefix.length))];
    case 'owner': {
      const owner = data['owner'] as { readonly kind?: string; readonly id?: string } | undefined;
      return owner?.kind === 'business' ? [Number(owner.id)] : [];
    }
    case 'business':
    case 'business_id':
    case 'actor': {
      const named = tenant === 'actor' ? undefined : data[tenant];
      if (named !== undefined && named !== null) return [Number(named)];
      const acting = actingBusiness(event);
      return acting.length > 0 ? acting : [PLATFORM];
    }
  }
}

/** The business of the acting user. */
export const actingBusiness = ({ metadata }: StoredEvent): readonly number[] =>
  metadata['business'] === undefined ? [] : [Number(metadata['business'])];
