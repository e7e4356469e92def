/**
 * Events of the account of a business at a carrier. Stream `carrieraccount-<id>`, which is also the key subject of its
 * return address. Credentials are stored outside of the log: events name them by id.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { stopSchema } from '../orders/address.js';

export const CARRIER_ACCOUNT_PREFIX = 'carrieraccount-';
export const carrierAccountStream = (id: number): string => `${CARRIER_ACCOUNT_PREFIX}${id}`;

/** When a customer is refunded after a void: when the carrier confirms it, or when it accepts the request. */
export const REFUND_MOMENTS = ['refunded', 'submitted'] as const;
export type RefundMoment = (typeof REFUND_MOMENTS)[number];

const members = {
  name: z.string(),
  /** As the adapter defines them. Without secrets. */
  settings: z.record(z.string(), z.unknown()),
  /** Decimal text. Null: 0 for rates of staff, 5 where a customer has a fixed price. */
  price_tolerance_percent: z.string().nullable(),
  refund_on: z.enum(REFUND_MOMENTS),
  /** Sender of shipments that name none. An empty object: removed. */
  return_address: stopSchema.optional(),
};

const terms = z.object(members);
export type CarrierTerms = z.infer<typeof terms>;

export const CarrierAccountAdded = eventType(
  'CarrierAccountAdded',
  z.object({
    carrier_account_id: z.int(),
    business: z.int(),
    /** Id of an adapter. An open text, so that new adapters need no new event type. */
    adapter: z.string(),
    /** 32 hexadecimal characters in the address of messages from the carrier. */
    account_token: z.string(),
    /** Absent: the adapter needs no credentials. */
    credential_id: z.string().optional(),
    ...members,
  }),
);
/** Absent members are unchanged. */
export const CarrierAccountChanged = eventType('CarrierAccountChanged', terms.partial());

const method = z.object({
  /** Permanent and unique in the service. */
  method_id: z.int(),
  /** Permanent code of the adapter. */
  code: z.string(),
  name: z.string(),
  /** Name of the carrier that transports the parcel. */
  carrier: z.string(),
  formats: z.array(z.string()),
  /** ISO 3166-1 alpha-2. Absent: not known, or all. */
  countries: z.array(z.string()).optional(),
  enabled: z.boolean(),
  /** The carrier does not offer the method any more. */
  withdrawn: z.boolean().optional(),
  /** Rate card that turns the cost into the price of a customer. */
  markup_card: z.int().optional(),
});
export type AccountMethod = z.infer<typeof method>;

/** All methods of the account. */
export const CarrierMethodsSet = eventType('CarrierMethodsSet', z.object({ methods: z.array(method) }));
export const CarrierAccountDisabled = eventType('CarrierAccountDisabled', z.object({}));
export const CarrierAccountEnabled = eventType('CarrierAccountEnabled', z.object({}));
export const CredentialReplaced = eventType('CredentialReplaced', z.object({ credential_id: z.string() }));

export const CARRIER_ACCOUNT_EVENTS = [
  CarrierAccountAdded,
  CarrierAccountChanged,
  CarrierMethodsSet,
  CarrierAccountDisabled,
  CarrierAccountEnabled,
  CredentialReplaced,
] as const;

/** Ids of the methods of an account are in its own block of integers. The number of an account's methods is limited. */
const METHOD_BLOCK = 1_000;
export const MAX_METHODS = 500;
/** `number`: from 1, in the order in which the account got its methods. */
export const methodIdOf = (accountId: number, number: number): number => accountId * METHOD_BLOCK + number;
/** The account of a method. */
export const accountIdOfMethod = (methodId: number): number => Math.floor(methodId / METHOD_BLOCK);
