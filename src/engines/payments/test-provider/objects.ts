/** The objects of the protocol, with all members that the provider's documentation has. */
import { randomBytes } from 'node:crypto';

/** An object with a value of null for each name. */
const nulls = (names: string): Record<string, null> => Object.fromEntries(names.split(' ').map((name) => [name, null]));

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;
export const seconds = (now: number): number => Math.floor(now / 1_000);

export type Metadata = Readonly<Record<string, string>>;

export interface IntentItem extends Record<string, unknown> {
  readonly id: string;
  readonly object: 'payment_intent';
  readonly amount: number;
  readonly amount_received: number;
  readonly client_secret: string;
  readonly currency: string;
  readonly created: number;
  readonly metadata: Metadata;
  readonly payment_method: string | null;
  readonly status: string;
}

export interface NewIntent {
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Metadata;
  readonly description: string | null;
}

export function newIntent(given: NewIntent, now: number): IntentItem {
  const id = newId('pi');
  return {
    ...nulls(
      'application application_fee_amount automatic_payment_methods canceled_at cancellation_reason customer customer_account ' +
        'excluded_payment_method_types last_payment_error latest_charge managed_payments next_action on_behalf_of ' +
        'payment_method_configuration_details processing receipt_email review setup_future_usage shipping source ' +
        'statement_descriptor statement_descriptor_suffix transfer_data transfer_group',
    ),
    ...given,
    id,
    object: 'payment_intent',
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
    confirmation_method: 'automatic',
    created: seconds(now),
    livemode: false,
    payment_method: null,
    payment_method_options: {},
    allowed_payment_method_types: ['card'],
    payment_method_types: ['card'],
    status: 'requires_payment_method',
  };
}

export interface SessionItem extends Record<string, unknown> {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly amount_total: number;
  readonly currency: string;
  readonly created: number;
  readonly metadata: Metadata;
  readonly status: string;
  readonly success_url: string;
  readonly cancel_url: string;
  readonly payment_intent: string | null;
  /** Members of the payment that the customer makes. Responses omit it: it is no member of the protocol. */
  readonly intent_data: Omit<NewIntent, 'amount' | 'currency'>;
}

export interface NewSession {
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Metadata;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly intentData: SessionItem['intent_data'];
}

export function newSession(
  { amount, currency, metadata, successUrl, cancelUrl, intentData }: NewSession,
  baseUrl: string,
  now: number,
): SessionItem {
  const id = newId('cs_test');
  return {
    ...nulls(
      'adaptive_pricing after_expiration allow_promotion_codes billing_address_collection client_reference_id client_secret ' +
        'collected_information consent consent_collection currency_conversion customer customer_account customer_creation ' +
        'customer_details customer_email integration_identifier invoice locale managed_payments origin_context payment_link ' +
        'payment_method_collection payment_method_configuration_details permissions recovered_from ' +
        'saved_payment_method_options setup_intent shipping_address_collection shipping_cost submit_type subscription',
    ),
    id,
    object: 'checkout.session',
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    cancel_url: cancelUrl,
    created: seconds(now),
    currency,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    discounts: [],
    expires_at: seconds(now) + 86_400,
    intent_data: intentData,
    invoice_creation: { enabled: false, invoice_data: {} },
    livemode: false,
    metadata,
    mode: 'payment',
    payment_intent: null,
    payment_method_options: {},
    allowed_payment_method_types: ['card'],
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    phone_number_collection: { enabled: false },
    shipping_options: [],
    status: 'open',
    success_url: successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${baseUrl}/pay/${id}`,
    wallet_options: null,
  };
}

export interface RefundItem extends Record<string, unknown> {
  readonly id: string;
  readonly object: 'refund';
  readonly amount: number;
  readonly created: number;
  readonly payment_intent: string;
  readonly status: string;
}

export const newRefund = (
  { id: payment_intent, currency, latest_charge: charge, payment_method }: IntentItem,
  {
    amount,
    metadata,
    reason,
    status,
  }: { readonly amount: number; readonly metadata: Metadata; readonly reason: string | null; readonly status: string },
  now: number,
): RefundItem => ({
  ...nulls('balance_transaction customer customer_account receipt_number source_transfer_reversal transfer_reversal'),
  id: newId('re'),
  object: 'refund',
  amount,
  charge,
  created: seconds(now),
  currency,
  destination_details: { card: { type: 'refund' }, type: 'card' },
  metadata,
  payment_intent,
  payment_method,
  reason,
  status,
});

export interface DisputeItem extends Record<string, unknown> {
  readonly id: string;
  readonly object: 'dispute';
  readonly created: number;
  readonly payment_intent: string;
  readonly status: string;
}

const EVIDENCE =
  'access_activity_log billing_address cancellation_policy cancellation_policy_disclosure cancellation_rebuttal ' +
  'customer_communication customer_email_address customer_name customer_purchase_ip customer_signature ' +
  'duplicate_charge_documentation duplicate_charge_explanation duplicate_charge_id product_description receipt refund_policy ' +
  'refund_policy_disclosure refund_refusal_explanation service_date service_documentation shipping_address ' +
  'shipping_carrier shipping_date shipping_documentation shipping_tracking_number uncategorized_file uncategorized_text';

export const newDispute = (
  { id: payment_intent, amount_received: amount, currency, latest_charge: charge }: IntentItem,
  now: number,
): DisputeItem => ({
  id: newId('du'),
  object: 'dispute',
  amount,
  balance_transactions: [],
  charge,
  created: seconds(now),
  currency,
  enhanced_eligibility_types: [],
  evidence: { ...nulls(EVIDENCE), enhanced_evidence: {} },
  evidence_details: {
    due_by: seconds(now) + 604_800,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
  },
  is_charge_refundable: false,
  livemode: false,
  metadata: {},
  payment_intent,
  payment_method_details: {
    card: { brand: 'visa', case_type: 'chargeback', network: 'visa', network_reason_code: '10.4' },
    type: 'card',
  },
  reason: 'fraudulent',
  status: 'needs_response',
});

export const newEvent = (type: string, object: Readonly<Record<string, unknown>>, now: number) => ({
  id: newId('evt'),
  object: 'event',
  api_version: null,
  created: seconds(now),
  data: { object },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
});

/** `secret`: only the response to the creation has it. */
export const newEndpoint = (url: string, events: readonly string[], secret: string, now: number) => ({
  ...nulls('api_version application description'),
  id: newId('we'),
  object: 'webhook_endpoint',
  created: seconds(now),
  enabled_events: events,
  livemode: false,
  metadata: {},
  secret,
  status: 'enabled',
  url,
});
export type EndpointItem = ReturnType<typeof newEndpoint>;
