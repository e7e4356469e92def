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
