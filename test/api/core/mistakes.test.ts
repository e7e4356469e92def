import { expect } from 'chai';
import { openOrderDesk, STOP, type OrderDesk } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns, type UserName } from '../../support/worlds/users.js';

type Call = readonly [path: string, options?: { readonly method?: string; readonly body?: unknown }];

describe('typical mistakes', () => {
  let service: TestService;
  let desk: OrderDesk;

  before(async () => {
    service = await startTestService();
    desk = openOrderDesk(service);
  });
  after(() => service.stop());

  /** What was asked for, by whom (the client admin unless said), and what the explanation says. */
  const MISTAKES: readonly (readonly [what: string, call: Call, says: RegExp, by?: UserName])[] = [
    ['an unknown member', ['/orders', { body: { typ: 'D' } }], /^type: .+ typ: /],
    ['a missing member', ['/orders', { body: { type: 'D' } }], /^delivery: This field is required/],
    [
      'a member inside of another one',
      ['/orders', { body: { type: 'D', delivery: { ...STOP, country: 'Germany' } } }],
      /^delivery\/country: /,
    ],
    [
      'a text for a number',
      ['/orders', { body: { type: 'D', delivery: STOP, packages: [{ weight_kg: '2.5' }] } }],
      /^packages\/0\/weight_kg: Expected number/,
    ],
    ['a value that is none of an enum', ['/orders?status=OPEN'], /^status: .*NEW_ORDER/],
    ['a day of the wrong form', ['/orders?schedule_date_from=27.11.2026'], /^schedule_date_from: .*YYYY-MM-DD/],
    ['too many of a page', ['/orders?per_page=500'], /^per_page: .*200/],
    ['a parameter that does not exist', ['/orders?state=HOLD'], /state/],
    [
      'the wrong method',
      ['/orders/1', { method: 'DELETE' }],
      /^(?=.*GET \(order\))(?=.*PATCH \(orderUpdate\))(?=.*POST \/cancel \(orderCancel\))/,
    ],
    [
      'a method of another address',
      ['/orders', { method: 'PUT', body: {} }],
      /^(?=.*GET \(orders\))(?=.*POST \(orderCreate\))/,
    ],
    ['a user where a provider is asked for', ['/otep/ingest', { body: {} }], /for: provider/],
    ['a role that may not', ['/users', { body: {} }], /for: .*client_admin/, 'driver'],
    [
      'an old name of a member',
      ['/orders/1', { method: 'PATCH', body: { order_note: 'x' } }],
      /^order_note: .+There are: .*note/,
    ],
    ['an id that is a word', ['/orders/first'], /^order_id: Expected number/],
    ['an id that nothing has', ['/orders/99999999'], /order/i],
    ['a negative id', ['/orders/-1'], /^order_id: /],
    ['a list that is a single value', ['/routes/1/orders', { body: { order_ids: 5 } }], /^order_ids: Expected array/],
    ['an empty list', ['/orders/batch', { body: { orders: [] } }], /^orders: /],
    [
      'a time window that ends before it begins',
      ['/orders', { body: { type: 'D', delivery: STOP, time_windows: [{ from: '12:00', to: '09:00' }] } }],
      /^time_windows\/0\/to: .*later than/,
    ],
    [
      'a time of the wrong form',
      ['/orders', { body: { type: 'D', delivery: STOP, time_windows: [{ from: '9', to: '12:00' }] } }],
      /^time_windows\/0\/from: .*HH:MM/,
    ],
    [
      'a day that is over',
      ['/orders', { body: { type: 'D', delivery: STOP, schedule_date: '2020-01-01' } }],
      /^schedule_date: /,
    ],
    [
      'a delivery that is missing its street',
      ['/orders', { body: { type: 'D', delivery: { name: 'A', city: 'B', country: 'DE' } } }],
      /^delivery\/street: This field is required/,
    ],
    [
      'an e-mail address without an @',
      ['/users', { body: { email: 'ada', password: 'long enough password', name: 'Ada', role: 'employee' } }],
      /^email: /,
    ],
    [
      'a password that is too short',
      ['/users', { body: { email: 'a@b.example', password: 'x', name: 'Ada', role: 'employee' } }],
      /^password: /,
    ],
    ['a cursor that is none', ['/orders?cursor=next'], /^cursor: /],
    ['a cursor and a page', ['/orders?cursor=abcdefghijklmnop&page=2'], /^cursor: /],
    ['page 0', ['/orders?page=0'], /^page: /],
    ['a field that does not exist', ['/orders?fields=order_id'], /^fields: .*order_id.*id, /],
    ['a filter that is spelled otherwise', ['/routes?date=2030-01-01'], /^date: .*schedule_date/],
    ['a day that does not exist', ['/routes?schedule_date=2030-02-30'], /^schedule_date: .*YYYY-MM-DD/],
    [
      'an address that is no https',
      ['/webhook-settings', { method: 'PATCH', body: { default_webhook_url: 'http://shop.example' } }],
      /^This address cannot be used/,
    ],
    [
      'latitude and longitude as a list',
      ['/pois', { body: { name: 'A', category: 'shop', position: [52.5, 13.4] } }],
      /^position: Expected object/,
    ],
    [
      'a latitude beyond the pole',
      ['/pois', { body: { name: 'A', category: 'shop', position: { latitude: 91, longitude: 0 } } }],
      /^position\/latitude: .*90/,
    ],
    ['a plan of a day that is over', ['/route-plans', { body: { schedule_date: '2020-01-01' } }], /^This day is over/],
    ['an address that does not exist', ['/order'], /./],
    ['a job id that is no UUID', ['/jobs/17'], /^job_id: .*UUID/],
    [
      'a version that is no number',
      ['/orders/1', { method: 'PATCH', body: { if_version: 'one', note: 'x' } }],
      /^if_version: Expected number/,
    ],
    ['more mistakes than are shown', ['/users', { body: {} }], /^\w+: .+ \w+: .+ \w+: .+/],
  ];

  for (const [what, [path, options], says, by = 'client_admin'] of MISTAKES)
    it(`is explained: ${what}`, async () => {
      const { status, json } = await desk.as(by, path, options);
      expect(status).to.be.within(400, 499);
      expect(json.detail).to.match(says);
      expect(json.message).to.equal(json.detail);
      expect(json.doc_url).to.equal(`${service.url}/api/docs/errors#${json.code}`);
    });

  it('is explained in the language of the caller', async () => {
    const headers = { 'accept-language': 'de' };
    const { json } = await desk.as('client_admin', '/orders', { body: { type: 'D' }, headers });
    expect(json.detail).to.match(/^delivery: .*erforderlich|^delivery: .*Pflicht|^delivery: .+/);
    expect(json.detail).to.not.contain('required');
  });

  it('is located in JSON that cannot be parsed', async () => {
    const key = await signIns(service)('client_admin');
    const response = await fetch(`${service.url}/api/v1/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{\n  "type": "D"\n  "delivery": {} }',
    });
    const json = (await response.json()) as { code: string; detail: string };
    expect(json.code).to.equal('MALFORMED_JSON');
    expect(json.detail).to.match(/line 3, column 3/);
  });
});
