/**
 * The port of carriers and aggregators: rates, labels, manifests and tracking. No other code of the area names an
 * adapter. An adapter reads neither the database nor the log, and sees only the account that it is called for.
 */
import type { z } from 'zod';
import type { Dedupe, Outcome } from '../adapter.js';
import type { CarrierShipment, CarrierStop, LabelFormat, LabelSize, ShipmentOption } from './shipment.js';

export * from './shipment.js';

/** An account of a business at the carrier, for one call. `settings` and `credentials` match the adapter's schemas. */
export interface CarrierCall<Settings = unknown, Credentials = unknown> {
  readonly business: number;
  readonly accountId: number;
  readonly settings: Settings;
  readonly credentials: Credentials;
  /** Aborts when the time of the call is over. */
  readonly signal: AbortSignal;
}

export interface CarrierMethod {
  /** Permanent within the account, such as `usps.priority`. */
  readonly code: string;
  readonly name: string;
  /** Name of the carrier that transports the parcel, as it is shown to customers. */
  readonly carrier: string;
  readonly formats: readonly LabelFormat[];
  /** Destinations; absent: not known, or all. */
  readonly countries?: readonly string[] | undefined;
}

export interface CarrierRate {
  readonly method_code: string;
  /** What the carrier charges the business: exact decimal number. */
  readonly cost: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly delivery_days?: number | undefined;
  /** `YYYY-MM-DD`. */
  readonly delivery_date?: string | undefined;
  readonly guaranteed?: boolean | undefined;
}

/** Why a carrier has no rate. `code`: `NOT_SERVED`, `CARRIER_UNAVAILABLE`, or a code that the adapter documents. */
export interface CarrierError {
  readonly code: string;
  /** Text of the carrier for a person; it may contain data of the request. */
  readonly text?: string | undefined;
  readonly retryable: boolean;
}

export interface CarrierRates {
  readonly rates: readonly CarrierRate[];
  readonly errors: readonly CarrierError[];
}

/** A file of a label, or the address from which the carrier lets it be downloaded. */
export type LabelFile =
  { readonly format: LabelFormat; readonly bytes: Uint8Array } | { readonly format: LabelFormat; readonly url: string };

export interface PurchaseRequest {
  readonly shipment: CarrierShipment;
  readonly method_code: string;
  readonly label_format: LabelFormat;
  readonly label_size: LabelSize;
  /** The highest cost at which the label may be bought, in `currency`; above it: `not_done` with `PRICE_CHANGED`. */
  readonly max_cost?: { readonly amount: string; readonly currency: string } | undefined;
}

export interface PurchasedPackage {
  readonly package_id: string;
  readonly tracking_number: string;
  readonly label?: LabelFile | undefined;
  readonly billed_weight_kg?: number | undefined;
}

export interface PurchaseResult {
  /** Object at the carrier to which voids, manifests and downloads refer. */
  readonly remote_id: string;
  readonly carrier: string;
  readonly service: string;
  readonly cost: string;
  readonly currency: string;
  readonly packages: readonly PurchasedPackage[];
}

export type VoidStatus = 'submitted' | 'refunded' | 'rejected' | 'not_applicable';
export interface VoidRequest {
  readonly remote_id: string;
  readonly tracking_number: string;
}
export interface VoidResult {
  readonly status: VoidStatus;
}

export interface ManifestRequest {
  /** `YYYY-MM-DD`. */
  readonly ship_date: string;
  readonly from: CarrierStop | undefined;
  readonly labels: readonly { readonly remote_id: string; readonly tracking_number: string }[];
}
export interface ManifestResult {
  readonly reference: string;
  readonly document?: LabelFile | undefined;
  /** Additional documents: a carrier may need one per sender address. `reference` then has several words. */
  readonly more_documents?: readonly LabelFile[] | undefined;
  /** Labels that the carrier did not accept. */
  readonly refused: readonly { readonly remote_id: string; readonly code: string; readonly text?: string }[];
}

/** An effect at the carrier: as `Adapter` of `engines/outside/adapter.ts`, with the account of the call. */
export interface CarrierEffect<Request, Result> {
  readonly dedupe: Dedupe;
  /** Creates a free object to act on. `key`: the same for all calls of one effect. */
  reserve?(call: CarrierCall, key: string, request: Request): Promise<Outcome<{ readonly remoteId: string }>>;
  act(call: CarrierCall, key: string, request: Request, remoteId: string | undefined): Promise<Outcome<Result>>;
  /** Finds the result of an earlier call, and changes nothing. */
  look(
    call: CarrierCall,
    key: string,
    request: Request | undefined,
    remoteId: string | undefined,
  ): Promise<Outcome<Result>>;
}

/** Numbers that the service draws for an account: `prefix`, a serial number from `from` to `to`, and a check digit. */
export interface NumberRange {
  readonly scheme: 'sscc';
  readonly prefix: string;
  readonly from: number;
  readonly to: number;
}

/** An event of a parcel as the carrier reports it. */
export interface CarrierTrackingEvent {
  readonly tracking_number: string;
  /** Id of the carrier, or one that follows from the content, so that a repetition has the same id. */
  readonly event_id: string;
  /** RFC 3339. */
  readonly occurred_at: string;
  /** Code or status of the carrier, which the status mapping of the account translates. */
  readonly raw_status: string;
  readonly description?: string | undefined;
  readonly place?: { readonly city?: string; readonly region?: string; readonly country?: string } | undefined;
}

/** The state of a label at the carrier, for `labelserviceGetShippingDetail`. */
export interface CarrierDetail {
  readonly tracking_numbers: readonly string[];
  readonly cost?: string | undefined;
  readonly currency?: string | undefined;
  readonly billed_weight_kg?: number | undefined;
  readonly refund_status?: VoidStatus | undefined;
  readonly label?: LabelFile | undefined;
}

export interface CarrierCapabilities {
  readonly rates: boolean;
  readonly void: boolean;
  readonly manifest: boolean;
  readonly tracking: readonly ('push' | 'poll')[];
  readonly formats: readonly LabelFormat[];
  readonly sizes: readonly LabelSize[];
  /** One shipment with several packages. False: one shipment per package. */
  readonly multi_piece: boolean;
  readonly customs: boolean;
  readonly options: readonly ShipmentOption[];
  readonly countries?: readonly string[] | undefined;
}

export interface CarrierInbound {
  /** Whether the message is signed with the secret of the account. */
  verify(headers: Readonly<Record<string, string | undefined>>, rawBody: Buffer, credentials: unknown): boolean;
  messageId(body: unknown): string | undefined;
  events(body: unknown): readonly CarrierTrackingEvent[];
}

export interface CarrierAdapter {
  /** Permanent: `^[a-z][a-z0-9_]{1,31}$`. */
  readonly id: string;
  readonly name: string;
  /** Strict schemas of the members of an account. Secrets belong to `credentials`. */
  readonly settings: z.ZodObject;
  readonly credentials: z.ZodObject;
  readonly capabilities: CarrierCapabilities;
  /** Present if the service draws the numbers of the labels. The range in force, from the settings of the account. */
  numberRange?(settings: unknown): NumberRange;
  /** One free request with the stored credentials. */
  test(call: CarrierCall): Promise<Outcome<Readonly<Record<string, never>>>>;
  methods(call: CarrierCall): Promise<readonly CarrierMethod[]>;
  /** Buys nothing. Requests are sent in parallel where the carrier needs several. */
  rate(call: CarrierCall, shipment: CarrierShipment): Promise<CarrierRates>;
  /** Dedupe `none` is not accepted. */
  readonly purchase: CarrierEffect<PurchaseRequest, PurchaseResult>;
  readonly void?: CarrierEffect<VoidRequest, VoidResult>;
  readonly manifest?: CarrierEffect<ManifestRequest, ManifestResult>;
  detail?(call: CarrierCall, remoteId: string): Promise<Outcome<CarrierDetail>>;
  /** Downloads a label again, if the carrier offers it. */
  label?(call: CarrierCall, remoteId: string, format: LabelFormat): Promise<Outcome<LabelFile>>;
  /** Present if `capabilities.tracking` contains `poll`. */
  track?(
    call: CarrierCall,
    numbers: readonly { readonly tracking_number: string; readonly remote_id: string }[],
  ): Promise<Outcome<readonly CarrierTrackingEvent[]>>;
  /** Present if `capabilities.tracking` contains `push`. */
  readonly inbound?: CarrierInbound;
  /** OTEP status codes by the codes of the carrier. The mapping of a new provider begins with them. */
  readonly statusMapping: readonly { readonly raw: string; readonly code: string }[];
}
