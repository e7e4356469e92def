/** A service with a sheet account, whose cards and wallet belong to the demo business, for tests of label orders. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { simpleCard } from '../inputs/shipments.js';
import { EASYPOST_KEY, startEasypost, type EasypostDouble } from '../easypost/start-easypost.js';
import { startTestService, type TestService } from '../worlds/service.js';
import { asUsers, type AsUsers } from '../worlds/users.js';

export const STOP = {
  name: 'Ada Lovelace',
  street: 'Invalidenstr. 1',
  city: 'Berlin',
  postal_code: '10115',
  country: 'DE',
};
export const RECIPIENT = {
  name: 'Grace Hopper',
  street: 'Spitalerstr. 1',
  city: 'Hamburg',
  postal_code: '20095',
  country: 'DE',
};
/** `packages`: number of packages. */
export const shipmentOf = (packages = 1, more: object = {}) => ({
  ship_from: STOP,
  ship_to: RECIPIENT,
  packages: Array.from({ length: packages }, () => ({ weight_kg: 1.5, length_cm: 20, width_cm: 20, height_cm: 10 })),
  ...more,
});

const LABEL_CARD = { services: [{ code: 'standard', names: { en: 'Standard' }, days_min: 1, days_max: 3 }], taxes: [] };

export interface LabelWorld {
  readonly t: TestService;
  readonly as: AsUsers;
  readonly customer: number;
  readonly easypost: EasypostDouble;
  /** Ids of the accounts, and of a method of each. */
  readonly sheet: { readonly id: number; readonly method: number };
  readonly outside: { readonly id: number; readonly method: number };
  /** Rate cards of the family, by currency. */
  readonly cards: Readonly<Record<'EUR' | 'USD', number>>;
  readonly setTerms: (more: object) => Promise<unknown>;
  readonly credit: (amount: string, currency?: string) => Promise<unknown>;
  readonly balance: (currency?: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** `now`: the clock of the service. */
export async function openLabelWorld(
  env: Readonly<Record<string, string>> = {},
  now: () => number = Date.now,
): Promise<LabelWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'transport-labels-'));
  const easypost = await startEasypost(join(folder, 'easypost'));
  const t = await startTestService({
    now,
    env: { RATE_LIMIT_WRITE: '100000', EASYPOST_BASE_URL: easypost.url, ...env },
  });
  const as = asUsers(t);
  const customer = t.demo.users.customer.id;
  const card = async (family: string, name: string, currency: string, document: object) => {
    const { json } = await as('client_admin', '/rate-cards', { family, name, currency });
    const id = json.rate_card.id as number;
    const added = await as('client_admin', `/rate-cards/${id}/versions`, { card: document });
    expect(added.status, added.text).to.be.below(300);
    return id;
  };
  // The price of a label is its cost and 1.00.
  const fee = [{ code: 'fee', names: { en: 'Fee' }, amount: { flat: '1.00' }, fuelable: false, taxable: false }];
  const labelCard = (currency: string) =>
    card('label_service', `Labels ${currency}`, currency, { ...LABEL_CARD, surcharges: fee });
  const cards = { EUR: await labelCard('EUR'), USD: await labelCard('USD') };
  // Orders without a customer have only a cost.
  await as('client_admin', '/pricing/defaults/label_service', { rate_card_id: null }, 'PUT');
  const transport = await card('shipping_service', 'Vans', 'EUR', simpleCard({ taxes: [] }));
  const add = async (body: object) => {
    const { status, json, text } = await as('client_admin', '/carrier-accounts', body);
    expect(status, text).to.equal(201);
    const { id } = json.carrier_account as { readonly id: number };
    const found = await as('client_admin', `/shipping-methods?carrier_account_ids=${id}`);
    expect(found.json.shipping_methods, found.text).to.be.an('array').that.is.not.empty;
    return { id, method: found.json.shipping_methods[0].id as number };
  };
  const sheet = await add({
    adapter: 'sheet',
    name: 'Vans',
    settings: { rate_card_id: transport, carrier_name: 'Demo Vans', company_prefix: '4012345' },
  });
  const outside = await add({
    adapter: 'easypost',
    name: 'EasyPost',
    settings: { carriers: ['usps'] },
    credentials: { api_key: EASYPOST_KEY },
  });
  return {
    t,
    as,
    customer,
    easypost,
    sheet,
    outside,
    cards,
    async setTerms(more) {
      const families = [{ family: 'label_service', ...more }];
      const set = await as('client_admin', `/customers/${customer}/terms`, { families }, 'PUT');
      expect(set.status, set.text).to.equal(200);
    },
    credit: (amount, currency = 'EUR') =>
      as('employee', `/customers/${customer}/wallet/credits`, { amount, currency, source: 'cash' }),
    async balance(currency = 'EUR') {
      const { json } = await as('customer', `/customers/${customer}/wallets`);
      const wallets = json.wallets as readonly { readonly currency: string; readonly balance: string }[];
      return wallets.find((one) => one.currency === currency)?.balance ?? '0.00';
    },
    async stop() {
      await t.stop();
      await easypost.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
