/** Table of all webhook kinds: which events of the log trigger which webhook, and its payload. */
import type { StoredEvent } from '../events/core/log.js';
import type { Owner } from '../events/trackings/events.js';
import type { WebhookKind } from '../events/webhooks/events.js';
import { ALLIANCE_KINDS } from './alliance-kinds.js';
import { BILL_KINDS } from './bill-kinds.js';
import { withCommon } from './common.js';
import { DRIVER_KINDS } from './driver-kinds.js';
import { INVOICE_KINDS } from './invoice-kinds.js';
import type { Kind } from './kind.js';
import { ORDER_KINDS } from './order-kinds.js';
import { THIRD_PARTY_KINDS } from './third-party-kinds.js';
import { PROPOSAL_KINDS } from './proposal-kinds.js';
import { ROUTE_KINDS } from './route-kinds.js';
import { WAREHOUSE_KINDS } from './warehouse-kinds.js';
import { WORK_KINDS } from './work-kinds.js';

const OWN: Readonly<Record<WebhookKind, Kind>> = {
  ...ORDER_KINDS,
  ...THIRD_PARTY_KINDS,
  ...ROUTE_KINDS,
  ...DRIVER_KINDS,
  ...ALLIANCE_KINDS,
  ...PROPOSAL_KINDS,
  ...WORK_KINDS,
  ...WAREHOUSE_KINDS,
  ...BILL_KINDS,
  ...INVOICE_KINDS,
};

export const KINDS = Object.fromEntries(
  Object.entries(OWN).map(([name, kind]) => [name, withCommon(kind)]),
) as unknown as typeof OWN;

/** Returns the kinds by the event type that triggers them. */
export function kindsByEvent(
  kinds: Partial<typeof KINDS>,
): ReadonlyMap<string, readonly (readonly [WebhookKind, Kind])[]> {
  const all = Object.entries(kinds) as [WebhookKind, Kind][];
  return new Map(all.flatMap(([, { on }]) => on).map((type) => [type, all.filter(([, { on }]) => on.includes(type))]));
}

/** Returns the prefixes of the streams whose events trigger them. */
export const prefixesOf = (kinds: Partial<typeof KINDS>): string[] => [
  ...new Set(Object.values(kinds).map(({ prefix }) => prefix)),
];

/**
 * Returns the business that owns a stream, from its first event; undefined if there is none (a provider's own parcel).
 */
export function businessOf({ data, metadata }: StoredEvent): number | undefined {
  // The owner of a parcel is an object; the owner of a job is a user id.
  const owner = data['owner'] as Owner | number | undefined;
  const id =
    typeof owner === 'object'
      ? owner.kind === 'business'
        ? owner.id
        : undefined
      : (data['business'] ?? data['business_id'] ?? metadata['business']);
  return id === undefined ? undefined : Number(id);
}
