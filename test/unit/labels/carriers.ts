/** Carriers that exist only in tests, and a shipment for them. */
import type { Outcome } from '../../../src/engines/outside/adapter.js';
import type { CarrierAdapter, CarrierRates, CarrierShipment } from '../../../src/engines/outside/carriers/port.js';
import type { CarrierAccess, RatedAccount, RatedMethod } from '../../../src/api/areas/labels/rated-account.js';

export const SHIPMENT: CarrierShipment = {
  from: { name: 'Ada', street: 'Hauptstraße 1', city: 'Berlin', postal_code: '10115', country: 'DE' },
  to: { name: 'Bob', street: 'Ring 2', city: 'München', postal_code: '80331', country: 'DE' },
  packages: [{ package_id: '1', weight_kg: 2 }],
  ship_date: '2027-03-01',
  options: {},
};

export const method = (accountId: number, more: Partial<RatedMethod> = {}): RatedMethod => ({
  method_id: accountId * 1_000 + 1,
  code: 'ground',
  name: `Ground ${accountId}`,
  carrier: `Carrier ${accountId}`,
  formats: ['pdf'],
  enabled: true,
  ...more,
});

export const account = (id: number, more: Partial<RatedAccount> = {}): RatedAccount => ({
  id,
  business: 1,
  adapter: `carrier${id}`,
  settings: {},
  credential_id: undefined,
  methods: [method(id)],
  ...more,
});

type Rate = (signal: AbortSignal) => Promise<CarrierRates>;
export const rates =
  (cost: string, currency = 'EUR'): Rate =>
  () =>
    Promise.resolve({ rates: [{ method_code: 'ground', cost, currency }], errors: [] });

export interface FakeCarrier {
  readonly rate: Rate;
  readonly capabilities?: Partial<CarrierAdapter['capabilities']>;
}

/** Adapters by id, and the calls that were made. The circuit of an account in `open` is open. */
export function carriers(fakes: Readonly<Record<string, FakeCarrier>>, { open = [] as readonly string[] } = {}) {
  const calls: string[] = [];
  const known: { readonly adapter: string; readonly isKnown: boolean }[] = [];
  const access: CarrierAccess = {
    adapterOf(id) {
      const fake = fakes[id];
      if (!fake) return undefined;
      const capabilities = { rates: true, customs: false, options: [], ...fake.capabilities };
      return {
        id,
        capabilities,
        rate: (call: { readonly signal: AbortSignal }) => {
          calls.push(id);
          return fake.rate(call.signal);
        },
      } as unknown as CarrierAdapter;
    },
    callFor: async ({ business, id, settings }, signal) => ({
      business,
      accountId: id,
      settings,
      credentials: {},
      signal,
    }),
    async ask<Result>({ adapter }: RatedAccount, work: () => Promise<Outcome<Result>>) {
      if (open.includes(adapter)) return { is: 'unknown', cause: 'circuit_open' };
      const outcome = await work().catch((): Outcome<never> => ({ is: 'unknown', cause: 'exception' }));
      known.push({ adapter, isKnown: outcome.is !== 'unknown' });
      return outcome;
    },
  };
  return { access, calls, known };
}
