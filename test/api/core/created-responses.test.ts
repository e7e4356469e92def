import { expect } from 'chai';
import { openOrderFixture, ORDER, STOP, type OrderFixture } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

const CREATES: readonly (readonly [path: string, body: object])[] = [
  ['/orders', ORDER],
  ['/client/orderCreate', ORDER],
  ['/routes', { name: 'Tour', schedule_date: '2046-03-02' }],
  ['/pois', { name: 'Kiosk', category: 'shop', position: { latitude: 52.5, longitude: 13.4 } }],
  ['/address-book', { kind: 'recipient', address: STOP }],
];

describe('a created resource', () => {
  let t: TestService;
  let fixture: OrderFixture;
  before(async () => (fixture = openOrderFixture((t = await startTestService()))));
  after(() => t.stop());

  for (const [path, body] of CREATES)
    it(`is returned, and can be read at its address: POST ${path}`, async () => {
      const made = await fixture.as('client_admin', path, { body });
      expect(made.status, made.text).to.equal(201);
      const location = made.headers.get('location')!;
      const key = await signIns(t)('client_admin');
      const found = await fetch(t.url + location, { headers: { authorization: `Bearer ${key}` } });
      const { result: _result, ...resource } = (await found.json()) as Record<string, unknown>;
      expect(found.status, location).to.equal(200);
      expect(made.json).to.deep.include(resource);
    });

  it('has only an address for a key without read permission', async () => {
    const made = await fixture.as('client_admin', '/api-keys', { body: { name: 'writes', scopes: ['routes:write'] } });
    const answer = await t.api('/routes', {
      key: made.json.secret,
      body: { name: 'Unseen', schedule_date: '2046-03-02' },
    });
    expect([answer.status, answer.json], answer.text).to.deep.equal([201, { result: true }]);
    expect(answer.headers.get('location')).to.match(/^\/api\/v1\/routes\/\d+$/);
  });

  it('has the same address when the request is repeated with its key', async () => {
    const send = () =>
      fixture.as('client_admin', '/routes', {
        body: { name: 'Once', schedule_date: '2046-03-02' },
        headers: { 'idempotency-key': 'created-1' },
      });
    const [first, again] = [await send(), await send()];
    expect(again.text).to.equal(first.text);
    expect(again.headers.get('location')).to.equal(first.headers.get('location')).and.to.be.a('string');
  });
});
