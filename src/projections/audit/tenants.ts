/** Whose events a stream holds: by what its area says, and its first event. */
import type { StoredEvent } from '../../events/core/log.js';

/** Marks the platform in place of a business's id: businesses count from 1. */
export const PLATFORM = 0;

/**
 * `business`, `business_id`: the member of the first event that names the business; without it, the business whose user
 * acted, else the platform. `actor`: the same without a member. `owner`: the business that owns the parcel; carriers'
 * own parcels are nobody's. `each`: several businesses write to the stream, and each sees its own acts. `itself`: the
 * stream is a business, which the platform sees too. `nobody`: not audited.
 */
export type TenantRule = 'business' | 'business_id' | 'actor' | 'owner' | 'each' | 'itself' | 'nobody';

/** Streams and their rule. */
export interface Tenancy {
  readonly prefix: string;
  readonly tenant: TenantRule;
}

/** The tenants of a stream by its first event: ids of businesses, or `PLATFORM`; none: only who acts sees the event. */
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

/** The business whose user acted. */
export const actingBusiness = ({ metadata }: StoredEvent): readonly number[] =>
  metadata['business'] === undefined ? [] : [Number(metadata['business'])];
