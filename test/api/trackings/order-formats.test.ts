/** Formats that represent orders, over HTTP: which caller gets which data of the order. */
import { expect } from 'chai';
import { validateMagento } from '../../support/validators/magento.js';
import { validateWalmart } from '../../support/validators/walmart.js';
import type { UserName } from '../../support/worlds/users.js';
import { openOrderFixture, STOP, type OrderFixture } from '../../support/worlds/orders.js';
import { erasureOf } from '../../support/worlds/erasure.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const VALIDATE = { walmart: validateWalmart, magento: validateMagento } as const;
type Name = keyof typeof VALIDATE;
const NAMES = Object.keys(VALIDATE) as Name[];
/** Data of the order that the public view does not contain. */
const SECRETS = [STOP.name, STOP.phone, STOP.email, STOP.street, STOP.postal_code, 'REF-1', 'Ring twice', 'Books'];

describe('OTEP: orders in the formats of shops', () => {
  let t: TestService;
  let fixture: OrderFixture;
  let id: number;
  let number: string;
  before(async () => {
    t = await startTestService();
    fixture = openOrderFixture(t);
    const made = await fixture.order({
      order_ref: 'REF-1',
      delivery_instruction: 'Ring twice',
      customer_id: t.demo.users.customer.id,
    });
    id = made.order_id;
    number = made.tracking_numbers[0];
    await fixture.as('client_admin', `/orders/${id}/third-party`, { body: { provider: t.demo.provider.id } });
    const scan = { occurred_at: new Date().toISOString(), status_code: 'picked_up' };
    const pushed = await t.push({
      otep_version: '0.1',
      profile: 'parcel',
      subject: { tracking_number: number },
      events: [scan],
    });
    expect(pushed.json, pushed.text).to.include({ accepted: 1 });
    await t.read(number, pushed);
  });
  after(() => t.stop());

  const ask = (name: Name, user?: UserName, options = {}) =>
    user
      ? fixture.as(user, `/otep/trackings/${number}?format=${name}`, options)
      : t.api(`/otep/trackings/${number}?format=${name}`, options);
  const secretsIn = (text: string) => SECRETS.filter((secret) => text.includes(secret));

  it('are completed for callers who may read the order, in the schema of the format', async () => {
    for (const name of NAMES) {
      for (const user of ['client_admin', 'employee', 'auditor', 'customer'] as const) {
        const answer = await ask(name, user);
        expect(VALIDATE[name](answer.json), `${name} for ${user}`).to.deep.equal([]);
        const expected = name === 'walmart' ? SECRETS.filter((one) => !['Ring twice', 'Books'].includes(one)) : SECRETS;
        expect(secretsIn(answer.text), `${name} for ${user}`).to.deep.equal(expected);
      }
      const { json } = await fixture.as('client_admin', '/otep/trackings/batch', {
        body: { tracking_numbers: [number], format: name },
      });
      expect(secretsIn(JSON.stringify(json.trackings[0].timeline))).to.include(STOP.street);
    }
    const { order } = (await ask('walmart', 'employee')).json;
    expect(order.purchaseOrderId).to.equal('REF-1');
    expect(order.shippingInfo.estimatedDeliveryDate).to.equal(Date.parse('2046-03-02T23:59:59+01:00'));
    expect(order.orderLines.orderLine[0].orderLineStatuses.orderLineStatus[0].trackingInfo.carrierName).to.deep.equal({
      otherCarrier: t.demo.provider.id,
    });
  });

  it('show no other caller anything of it, regardless of earlier requests', async () => {
    for (const name of NAMES) {
      const inFull = await ask(name, 'client_admin');
      const publicly = await ask(name);
      const answers = {
        anybody: publicly,
        'the carrier': await ask(name, undefined, { key: t.demo.provider.key }),
        'another carrier': await ask(name, undefined, { key: t.demo.strict_provider.key }),
        'another business': await ask(name, 'other_client_admin'),
        'a contractor without the order': await ask(name, 'broker'),
        'a driver without the order': await ask(name, 'driver'),
        'a batch of anybody': await t.api('/otep/trackings/batch', {
          body: { tracking_numbers: [number], format: name },
        }),
      };
      for (const [who, { status, text, json }] of Object.entries(answers)) {
        expect(status, who).to.equal(200);
        expect(secretsIn(text), `${name} for ${who}`).to.deep.equal([]);
        if (!json.trackings) expect(VALIDATE[name](json), `${name} for ${who}`).to.deep.equal([]);
      }
      expect(inFull.headers.get('etag')).to.not.equal(publicly.headers.get('etag'));
      const unchanged = { headers: { 'If-None-Match': inFull.headers.get('etag')! } };
      expect((await ask(name, undefined, unchanged)).status).to.equal(200);
      expect((await ask(name, 'client_admin', unchanged)).status).to.equal(304);
      expect((await ask(name, 'customer')).text, 'after the public one was kept').to.contain(STOP.street);
    }
  });

  it('change with the order, and lose erased persons', async () => {
    const before = await ask('magento', 'client_admin');
    await fixture.as('client_admin', `/orders/${id}`, { method: 'PATCH', body: { delivery_instruction: 'Side door' } });
    const unless = { headers: { 'If-None-Match': before.headers.get('etag')! } };
    const now = await ask('magento', 'client_admin', unless);
    expect([now.status, now.json.order?.customer_note]).to.deep.equal([200, 'Side door']);
    const erasure = erasureOf(t);
    const [subject] = await erasure.subjects.find(`order-${id}`);
    await erasure.erasing.erase(subject!, 'erase-order-formats', ERASING);
    // A read of the order still contains the reference and the postal code, which are not personal data.
    const left = secretsIn(JSON.stringify(await fixture.read(id)));
    expect(left).to.have.members(['REF-1', STOP.postal_code]);
    for (const name of NAMES) {
      const erased = await ask(name, 'client_admin');
      expect(VALIDATE[name](erased.json)).to.deep.equal([]);
      expect(secretsIn(erased.text), name).to.have.members(left);
    }
  });
});

const ERASING = {
  correlationId: 'erase-order-formats',
  actor: { kind: 'system', id: 'test' },
  channel: 'system',
} as const;
