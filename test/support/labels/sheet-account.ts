/** A carrier account of the adapter `sheet`, which prints labels without a network, for services of other tests. */
import { expect } from 'chai';
import { simpleCard } from '../inputs/shipments.js';
import type { TestService } from '../worlds/service.js';

export const SENDER = {
  name: 'Ada Lovelace',
  street: 'Invalidenstr. 1',
  city: 'Berlin',
  postal_code: '10115',
  country: 'DE',
};
export const RECEIVER = {
  name: 'Grace Hopper',
  street: 'Spitalerstr. 1',
  city: 'Hamburg',
  postal_code: '20095',
  country: 'DE',
};
export const PARCEL = { ship_from: SENDER, ship_to: RECEIVER, packages: [{ weight_kg: 1.5 }] };

export interface SheetAccount {
  readonly accountId: number;
  readonly methodId: number;
  /** Creates an order with a label, and returns its id. */
  readonly order: (more?: object) => Promise<number>;
}

/** Creates an order with a label, and returns its id. */
export async function buyLabel({ api }: Pick<TestService, 'api'>, key: string, body: object): Promise<number> {
  const { status, json, text } = await api('/label-orders', { key, body: { ...PARCEL, ...body } });
  expect(status, text).to.equal(201);
  expect(json.result, text).to.equal(true);
  return json.order_id as number;
}

/** `key`: token of an administrator of the business. `prefix`: GS1 company prefix. */
export async function openSheetAccount(service: TestService, key: string, prefix = '4012346'): Promise<SheetAccount> {
  const post = async (path: string, body: object) => {
    const { status, json, text } = await service.api(path, { key, body });
    expect(status, `${path} ${text}`).to.be.below(300);
    return json;
  };
  const { rate_card } = await post('/rate-cards', { family: 'shipping_service', name: 'Vans', currency: 'EUR' });
  const rate_card_id = rate_card.id as number;
  await post(`/rate-cards/${rate_card_id}/versions`, { card: simpleCard({ taxes: [] }) });
  const settings = { rate_card_id, carrier_name: 'Demo Vans', company_prefix: prefix };
  const { carrier_account } = await post('/carrier-accounts', { adapter: 'sheet', name: 'Vans', settings });
  const accountId = carrier_account.id as number;
  const found = await service.api(`/shipping-methods?carrier_account_ids=${accountId}`, { key });
  const methodId = found.json.shipping_methods[0].id as number;
  return { accountId, methodId, order: (more = {}) => buyLabel(service, key, { method_id: methodId, ...more }) };
}
