/** Queries on the read model of carrier accounts. */
import { sql, type Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import { accountIdOfMethod, type AccountMethod } from '../../events/carrier-accounts/events.js';
import type { Stop } from '../../events/orders/address.js';
import { BY_ID } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import { openRows } from '../core/sealed-members.js';
import type { CarrierAccountRow } from './read-model.js';

/** An account with its decrypted return address. */
export interface CarrierAccount extends Omit<CarrierAccountRow, 'sealed' | 'return_area' | 'credential_id'> {
  /** Undefined: the adapter needs no credentials. */
  readonly credential_id: string | undefined;
  readonly return_address: Stop | undefined;
}

/** A method in a list of several accounts. */
export interface ListedMethod extends AccountMethod {
  readonly id: number;
  readonly carrier_account_id: number;
  readonly adapter: string;
}

export interface CarrierAccountFilter {
  readonly adapter?: string | undefined;
  readonly disabled?: boolean | undefined;
}

export interface MethodFilter {
  /** Only enabled methods of enabled accounts. */
  readonly enabled?: boolean | undefined;
  readonly carrierAccountIds?: readonly number[] | undefined;
  /** Only methods that have a rate card. */
  readonly onlyMarkedUp?: boolean | undefined;
}

export interface CarrierAccountQueries {
  byId(id: number, business: number): Promise<CarrierAccount | undefined>;
  /** The account, whatever its business is: for background work. */
  ofAnyBusiness(id: number): Promise<CarrierAccount | undefined>;
  /** The account that has the method, also if the method or the account is disabled. */
  byMethod(methodId: number, business: number): Promise<CarrierAccount | undefined>;
  /** All enabled accounts of the business, sorted by id. At most 200. */
  enabled(business: number): Promise<readonly CarrierAccount[]>;
  /** The account whose carrier sends messages to the address with this token. */
  byToken(adapter: string, token: string): Promise<CarrierAccount | undefined>;
  /** Sorted by id. Without methods, which may be many. */
  list(filter: CarrierAccountFilter, range: Range, business: number): Promise<Page<CarrierAccount>>;
  count(business: number): Promise<number>;
  /** Methods of all accounts, sorted by id. */
  methods(filter: MethodFilter, range: Range, business: number): Promise<Page<ListedMethod>>;
}

export function createCarrierAccountQueries(database: Kysely<Database>, keyRing: KeyRing): CarrierAccountQueries {
  const all = () => database.selectFrom('carrier_accounts.carrier_accounts');
  const of = (business: number) => all().where('business', '=', business);

  async function open(rows: readonly CarrierAccountRow[]): Promise<CarrierAccount[]> {
    const opened = await openRows<{ readonly return_address?: Stop }, CarrierAccountRow>(rows, keyRing);
    return opened.map(({ return_area, credential_id, return_address, ...row }) => ({
      ...row,
      credential_id: credential_id ?? undefined,
      return_address: return_area === null ? undefined : { ...return_area, ...return_address },
    }));
  }
  const first = async (rows: Promise<CarrierAccountRow[]>) => (await open(await rows))[0];

  const byId = (id: number, business: number) => first(of(business).where('id', '=', id).selectAll().execute());
  return {
    byId,
    ofAnyBusiness: (id) => first(all().where('id', '=', id).selectAll().execute()),
    async byMethod(methodId, business) {
      const found = await byId(accountIdOfMethod(methodId), business);
      return found?.methods.some(({ method_id }) => method_id === methodId) ? found : undefined;
    },
    enabled: async (business) =>
      open(await of(business).where('disabled', '=', false).selectAll().orderBy('id').execute()),
    byToken: (adapter, token) =>
      first(all().where('account_token', '=', token).where('adapter', '=', adapter).selectAll().execute()),
    async list({ adapter, disabled }, range, business) {
      const found = of(business)
        .selectAll()
        .select(sql<AccountMethod[]>`'[]'::json`.as('methods'))
        .$if(adapter !== undefined, (query) => query.where('adapter', '=', adapter!))
        .$if(disabled !== undefined, (query) => query.where('disabled', '=', disabled!));
      const { rows, ...page } = await pageOf(found, range, BY_ID);
      return { ...page, rows: await open(rows) };
    },
    async count(business) {
      const { count } = await of(business)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async methods({ enabled, carrierAccountIds, onlyMarkedUp = false }, range, business) {
      const listed = of(business)
        .innerJoinLateral(
          sql<{ readonly method: AccountMethod }>`json_array_elements(methods)`.as<'method'>(sql`one(method)`),
          (join) => join.onTrue(),
        )
        .$if(carrierAccountIds !== undefined, (query) => query.where('id', 'in', carrierAccountIds!))
        .select([
          sql<number>`(method->>'method_id')::int`.as('id'),
          'id as carrier_account_id',
          'adapter',
          'disabled',
          sql<AccountMethod>`method`.as('method'),
        ]);
      const isEnabled = sql<boolean>`not disabled and (method->>'enabled')::boolean`;
      const found = database
        .selectFrom(listed.as('listed'))
        .selectAll()
        .$if(enabled !== undefined, (query) => query.where(isEnabled, '=', enabled!))
        .$if(onlyMarkedUp, (query) => query.where(sql<boolean>`method->>'markup_card' is not null`));
      const { rows, ...page } = await pageOf(found, range, BY_ID);
      return {
        ...page,
        rows: rows.map(({ id, carrier_account_id, adapter, disabled, method }) => ({
          ...method,
          id,
          carrier_account_id,
          adapter,
          enabled: method.enabled && !disabled,
        })),
      };
    },
  };
}
