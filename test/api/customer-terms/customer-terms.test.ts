/** Terms of customer accounts over HTTP. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';

describe('terms of a customer', () => {
  let t: TestService;
  let as: AsUsers;
  let path: string;
  before(async () => {
    t = await startTestService();
    as = asUsers(t);
    path = `/customers/${t.demo.users.customer.id}/terms`;
  });
  after(() => t.stop());

  const set = (family: string, more: object = {}, rest: object = {}) =>
    as('client_admin', path, { families: [{ family, ...more }], ...rest }, 'PUT');
  const family = async (name: string) => {
    const { json } = await as('employee', path);
    return json.customer_terms.families.find((one: { family: string }) => one.family === name);
  };

  it('exist before they are set, for all seven families', async () => {
    const { json } = await as('employee', path);
    expect(json.customer_terms.version).to.equal(-1);
    expect(json.customer_terms.families).to.have.length(7);
    expect(json.customer_terms.families[0]).to.deep.equal({
      family: 'local_delivery',
      rate_card_id: null,
      markup_percent: null,
      prices_hidden: false,
      payment_terms: 'pay_later',
      service_codes: null,
    });
    expect(json.customer_terms.tags).to.deep.equal([]);
  });

  it('are set by family; the others keep theirs', async () => {
    expect((await set('label_service', { prices_hidden: true, markup_percent: '12.5' })).status).to.equal(200);
    const answer = await set('storage_service', { markup_percent: '-50' });
    expect(answer.json.customer_terms.families[4].markup_percent).to.equal('-50');
    expect(await family('label_service')).to.include({ prices_hidden: true, markup_percent: '12.5' });
    await set('label_service');
    expect(await family('label_service')).to.include({ prices_hidden: false, markup_percent: null });
  });

  it('are refused for other users, and with wrong values', async () => {
    for (const id of [t.demo.users.driver.id, t.demo.users.other_broker.id, 999_999]) {
      const { status, json } = await as('client_admin', `/customers/${id}/terms`);
      expect(status).to.equal(404);
      expect(json.code).to.equal('CUSTOMER_NOT_FOUND');
    }
    for (const markup_percent of ['-50.1', '200.1', '1e2', '05', 5])
      expect((await set('local_delivery', { markup_percent })).status, String(markup_percent)).to.equal(400);
    expect((await set('local_delivery', { rate_card_id: 999_999 })).json.code).to.equal('RATE_CARD_NOT_FOUND');
    const twice = [{ family: 'local_delivery' }, { family: 'local_delivery' }];
    expect((await as('client_admin', path, { families: twice }, 'PUT')).status).to.equal(400);
  });

  it('have payment terms, services and tags', async () => {
    const sent = { payment_terms: 'on_account', service_codes: ['standard', 'express'] };
    expect((await set('moving_service', sent, { tags: ['vip', ' b2b '] })).status).to.equal(200);
    expect(await family('moving_service')).to.deep.include({ ...sent, service_codes: ['express', 'standard'] });
    expect((await as('employee', path)).json.customer_terms.tags).to.deep.equal(['b2b', 'vip']);
    await as('client_admin', path, { tags: [] }, 'PUT');
    expect((await as('employee', path)).json.customer_terms.tags).to.deep.equal([]);
    expect(await family('moving_service')).to.include({ payment_terms: 'on_account' });
    expect((await as('client_admin', path, {}, 'PUT')).status).to.equal(400);
    const tags = (count: number, length: number) =>
      Array.from({ length: count }, (_, n) => `${n}`.padStart(length, 'x'));
    expect((await as('client_admin', path, { tags: tags(20, 40) }, 'PUT')).status).to.equal(200);
    for (const wrong of [tags(21, 3), tags(1, 41), ['']])
      expect((await as('client_admin', path, { tags: wrong }, 'PUT')).status).to.equal(400);
    for (const wrong of [{ payment_terms: 'never' }, { service_codes: [] }, { service_codes: ['no space'] }])
      expect((await set('moving_service', wrong)).status).to.equal(400);
  });

  it('accept only cards of the same family', async () => {
    const made = { family: 'ltl_service', name: 'Pallets', currency: 'EUR' };
    const { id } = (await as('client_admin', '/rate-cards', made)).json.rate_card;
    const wrong = await set('local_delivery', { rate_card_id: id });
    expect(wrong.json.errors[0]).to.include({ code: 'OTHER_FAMILY', path: '/families/0/rate_card_id' });
    expect((await set('ltl_service', { rate_card_id: id })).status).to.equal(200);
  });

  it('need the current version, if the caller names one', async () => {
    const { version } = (await as('employee', path)).json.customer_terms;
    expect((await set('local_delivery', { markup_percent: '1' }, { if_version: version + 1 })).status).to.equal(412);
    expect((await set('local_delivery', { markup_percent: '1' }, { if_version: version })).status).to.equal(200);
  });

  it('have the same read model after a replay', () => expectSameReplay(t, ['customer_terms']));
});
