/** The read model of businesses. */
import {
  BUSINESS_PREFIX,
  BusinessBillingSet,
  BusinessRegistered,
  ModuleSwitched,
  OrderRefRuleSet,
  PaymentSettingsSet,
  SenderSet,
  ReviewRuleSet,
  type Billing,
  type PaymentSettings,
  type Review,
  type SenderAddress,
} from '../../events/businesses/events.js';
import { code, flag, integer, json, optional, text, texts, type RowOf } from '../core/columns.js';
import { sequence } from '../core/sequence.js';
import { recordedAt, startsWith, table } from '../core/table.js';

/** Ids of businesses. */
export const BUSINESS_IDS = sequence('businesses', { readModel: 'businesses', table: 'businesses.businesses' });

const columns = {
  id: integer(),
  code: code(),
  name: text(),
  timezone: text(),
  /** Names of the enabled modules. */
  modules: texts(),
  /** The rule for approving proposals. */
  review: text<Review>(),
  /** Order references must be unique. */
  unique_order_ref: flag(),
  /** The sender on labels of orders without a sender. */
  sender: optional(json<SenderAddress>()),
  /** Details for bills, and the currency of the business. */
  billing: optional(json<Billing>()),
  /** The account of the business at its payment provider. */
  payments: optional(json<PaymentSettings>()),
  /** The member `account_token` of `payments`. */
  payment_token: optional(code()),
  revision: integer(),
  recorded_at: text(),
};
export type BusinessRow = RowOf<typeof columns>;

export const businesses = table({
  name: 'businesses',
  version: 5,
  prefixes: [BUSINESS_PREFIX],
  columns,
  indexes: ['(code)', '(payment_token) where payment_token is not null'],
  fold: startsWith(BusinessRegistered, ({ code, name, timezone }, event): BusinessRow => ({
    id: Number(event.stream.slice(BUSINESS_PREFIX.length)),
    code,
    name,
    timezone,
    modules: [],
    review: 'anybody',
    unique_order_ref: false,
    sender: null,
    billing: null,
    payments: null,
    payment_token: null,
    revision: event.revision,
    recorded_at: recordedAt(event),
  }))
    .on(ModuleSwitched, ({ module, on }, { modules }, event) => ({
      modules: [...modules.filter((other) => other !== module), ...(on ? [module] : [])].sort(),
      recorded_at: recordedAt(event),
    }))
    .on(ReviewRuleSet, ({ review }, _row, event) => ({ review, recorded_at: recordedAt(event) }))
    .on(SenderSet, ({ sender }, _row, event) => ({ sender, recorded_at: recordedAt(event) }))
    .on(BusinessBillingSet, ({ set_by: _by, ...billing }, _row, event) => ({ billing, recorded_at: recordedAt(event) }))
    .on(PaymentSettingsSet, ({ settings }, _row, event) => ({
      payments: settings,
      payment_token: settings?.account_token ?? null,
      recorded_at: recordedAt(event),
    }))
    .on(OrderRefRuleSet, ({ unique }, _row, event) => ({ unique_order_ref: unique, recorded_at: recordedAt(event) })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'businesses', { 'businesses.businesses': BusinessRow }> {}
}
