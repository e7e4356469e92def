/** Rate cards over HTTP: versions, their checks, and the default card of a family. */
import { expect } from 'chai';
import { simpleCard, shipment } from '../../support/inputs/shipments.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';

const HOUR_MS = 3_600_000;

describe('rate cards', () => {
  let t: TestService;
  let as: AsUsers;
  let now = Date.parse('2027-03-01T09:00:00Z');
  before(async () => {
    t = await startTestService({ now: () => now });
    as = asUsers(t);
  });
  after(() => t.stop());

  const create = async (more: object = {}): Promise<number> => {
    const { json, text } = await as('client_admin', '/rate-cards', {
      family: 'local_delivery',
      name: 'City',
      currency: 'EUR',
      ...more,
    });
    expect(json.rate_card?.id, text).to.be.a('number');
    return json.rate_card.id as number;
  };
  const publish = (id: number, card: object, more: object = {}) =>
    as('client_admin', `/rate-cards/${id}/versions`, { card, ...more });
  const read = async (id: number, query = '') => (await as('auditor', `/rate-cards/${id}${query}`)).json.rate_card;

  it('publish versions that never change, and the newest valid one is in force', async () => {
    const id = await create();
    expect((await read(id)).card).to.equal(null);
    const first = await publish(id, simpleCard());
    expect(first.status, first.text).to.equal(200);
    const later = new Date(now + HOUR_MS).toISOString();
    await publish(id, simpleCard({ quote_valid_minutes: 30 }), { valid_from: later });
    const { versions, card } = await read(id);
    expect(versions.map((one: { status: string }) => one.status)).to.deep.equal(['in_force', 'published']);
    expect(versions[1].valid_from).to.equal(later);
    expect(versions[0].sha256).to.match(/^[0-9a-f]{64}$/);
    expect(card.quote_valid_minutes).to.equal(60);
    now += 2 * HOUR_MS;
    expect((await read(id)).versions.map((one: { status: string }) => one.status)).to.deep.equal([
      'superseded',
      'in_force',
    ]);
    expect((await read(id)).card.quote_valid_minutes).to.equal(30);
    expect((await read(id, '?version=1')).card.quote_valid_minutes).to.equal(60);
    expect((await as('auditor', `/rate-cards/${id}?version=3`)).json.code).to.equal('RATE_CARD_VERSION_NOT_FOUND');
  });

  it('refuse a card with errors, with a pointer to each', async () => {
    const id = await create();
    const wrong = await publish(id, simpleCard({ services: [{ names: { en: 'Standard' } }], unknown: 1 }));
    expect(wrong.status).to.equal(422);
    expect(wrong.json.code).to.equal('RATE_CARD_INVALID');
    expect(wrong.json.errors.map(({ path }: { path: string }) => path)).to.include.members([
      '/card/services/0/code',
      '/card/unknown',
    ]);
    const lane = await publish(id, simpleCard({ lanes: [{ from: 'de', to: 'fr', lane: 'national' }] }));
    expect(lane.status).to.equal(422);
    expect(lane.json.errors[0].path).to.equal('/card/lanes/0/to');
    expect(lane.json.errors[0].message).to.be.a('string').and.not.equal('');
    const precise = await publish(id, simpleCard({ minimum: '1.00001' }));
    expect(precise.status).to.equal(422);
    const past = await publish(id, simpleCard(), { valid_from: new Date(now - HOUR_MS).toISOString() });
    expect(past.status, past.text).to.equal(400);
    expect(past.json.errors[0].path).to.equal('/valid_from');
    expect((await read(id)).versions).to.deep.equal([]);
  });

  it('need the current version, if the caller names one', async () => {
    const id = await create();
    const { version } = await read(id);
    expect((await publish(id, simpleCard(), { if_version: version + 1 })).status).to.equal(412);
    expect((await publish(id, simpleCard(), { if_version: version })).status).to.equal(200);
  });

  it('are retired, and price nothing any more', async () => {
    const id = await create();
    await publish(id, simpleCard());
    await as('client_admin', '/pricing/defaults/local_delivery', { rate_card_id: id }, 'PUT');
    expect((await read(id)).is_default).to.equal(true);
    expect((await as('employee', '/orders/rate', shipment())).json.result).to.equal(true);
    const retired = await as('client_admin', `/rate-cards/${id}/retire`, {});
    expect(retired.json.rate_card.status).to.equal('retired');
    const again = await publish(id, simpleCard());
    expect(again.status).to.equal(409);
    expect(again.json.code).to.equal('RATE_CARD_RETIRED');
    const rates = (await as('employee', '/orders/rate', shipment())).json;
    expect(rates.result).to.equal(false);
    expect(rates.refused).to.deep.equal([{ service_code: null, code: 'NO_CARD', message: 'No rate card applies.' }]);
  });

  it('are only the default of their family', async () => {
    const id = await create({ family: 'storage_service' });
    const wrong = await as('client_admin', '/pricing/defaults/local_delivery', { rate_card_id: id }, 'PUT');
    expect(wrong.status).to.equal(400);
    expect(wrong.json.errors[0].code).to.equal('OTHER_FAMILY');
    const none = await as('client_admin', '/pricing/defaults/local_delivery', { rate_card_id: null }, 'PUT');
    expect(none.json.default_cards[0]).to.deep.equal({ family: 'local_delivery', rate_card_id: null });
  });

  it('are tried before they are published, and store nothing', async () => {
    const id = await create();
    const tried = await as('employee', `/rate-cards/${id}/try`, { ...shipment(), card: simpleCard() });
    expect(tried.json.rates[0].shipping_price, tried.text).to.equal('5.83');
    expect(tried.json.rates[0].price_details.map((line: { amount: string }) => line.amount)).to.deep.equal([
      '4.90',
      '0.93',
    ]);
    expect((await as('employee', `/rate-cards/${id}/try`, shipment())).json.code).to.equal(
      'RATE_CARD_VERSION_NOT_FOUND',
    );
    expect((await read(id)).versions).to.deep.equal([]);
  });

  it('have the same read models after a replay', () => expectSameReplay(t, ['rate_cards', 'default_cards']));
});
