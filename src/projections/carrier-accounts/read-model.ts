/** The read model of carrier accounts. Only the return address is encrypted. */
import {
  CARRIER_ACCOUNT_PREFIX,
  CarrierAccountAdded,
  CarrierAccountChanged,
  CarrierAccountDisabled,
  CarrierAccountEnabled,
  CarrierMethodsSet,
  CredentialReplaced,
  type AccountMethod,
  type CarrierTerms,
  type RefundMoment,
} from '../../events/carrier-accounts/events.js';
import { compact } from '../../events/core/compact.js';
import { code, flag, integer, json, optional, text, type RowOf } from '../core/columns.js';
import { sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';
import { sequence } from '../core/sequence.js';
import { recordedAt, startsWith, table } from '../core/table.js';

/** Ids of carrier accounts. */
export const CARRIER_ACCOUNT_IDS = sequence('carrier_accounts', {
  readModel: 'carrier_accounts',
  table: 'carrier_accounts.carrier_accounts',
});

const columns = {
  id: integer(),
  business: integer(),
  adapter: code(),
  name: text(),
  credential_id: optional(code()),
  account_token: code(),
  settings: json<Readonly<Record<string, unknown>>>(),
  price_tolerance_percent: optional(text()),
  refund_on: code<RefundMoment>(),
  methods: json<AccountMethod[]>(),
  /** The event with the return address; empty: there is none. */
  sealed: json<SealedMembers[]>(),
  /** The part of the return address that is not personal. */
  return_area: optional(json<NonNullable<CarrierTerms['return_address']>>()),
  disabled: flag(),
  created_at: text(),
  updated_at: text(),
  revision: integer(),
};
export type CarrierAccountRow = RowOf<typeof columns>;

const isSet = (address: object | undefined): boolean => Object.keys(address ?? {}).length > 0;

export const carrierAccounts = table({
  name: 'carrier_accounts',
  version: 1,
  prefixes: [CARRIER_ACCOUNT_PREFIX],
  columns,
  indexes: ['(business, id)', '(account_token)'],
  fold: startsWith(CarrierAccountAdded, (added, event): CarrierAccountRow => ({
    id: added.carrier_account_id,
    business: added.business,
    adapter: added.adapter,
    name: added.name,
    credential_id: added.credential_id ?? null,
    account_token: added.account_token,
    settings: added.settings,
    price_tolerance_percent: added.price_tolerance_percent,
    refund_on: added.refund_on,
    methods: [],
    sealed: added.return_address ? [sealedMembersOf(event)] : [],
    return_area: added.return_address ?? null,
    disabled: false,
    created_at: recordedAt(event),
    updated_at: recordedAt(event),
    revision: event.revision,
  }))
    .on(CarrierAccountChanged, ({ return_address, ...changed }, _row, event) => ({
      ...(compact(changed) as Partial<CarrierAccountRow>),
      ...(return_address && {
        sealed: isSet(return_address) ? [sealedMembersOf(event)] : [],
        return_area: isSet(return_address) ? return_address : null,
      }),
      updated_at: recordedAt(event),
    }))
    .on(CarrierMethodsSet, ({ methods }, _row, event) => ({ methods, updated_at: recordedAt(event) }))
    .on(CredentialReplaced, ({ credential_id }, _row, event) => ({ credential_id, updated_at: recordedAt(event) }))
    .on(CarrierAccountDisabled, (_data, _row, event) => ({ disabled: true, updated_at: recordedAt(event) }))
    .on(CarrierAccountEnabled, (_data, _row, event) => ({ disabled: false, updated_at: recordedAt(event) })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'carrier_accounts', { 'carrier_accounts.carrier_accounts': CarrierAccountRow }> {}
}
