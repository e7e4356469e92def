/** Carrier accounts over HTTP: creation, methods, number ranges, states, and what customers see. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { simpleCard, stopIn } from '../../support/inputs/shipments.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';

describe('carrier accounts', () => {
  let t: TestService;
  let as: AsUsers;
  let card = 0;
  let labelCard = 0;
  before(async () => {
    t = await startTestService();
    as = asUsers(t);
    card = await cardOf('shipping_service', simpleCard());
    const { table: _table, weight: _weight, ...labels } = simpleCard();
    labelCard = await cardOf('label_service', labels);
  });
  after(() => t.stop());

  async function cardOf(family: string, document: object): Promise<number> {
    const { json } = await as('client_admin', '/rate-cards', { family, name: family, currency: 'EUR' });
    const { id } = json.rate_card;
    const { status, text } = await as('client_admin', `/rate-cards/${id}/versions`, { card: document });
    expect(status, text).to.equal(200);
    return id as number;
  }
  const settings = (company_prefix: string, more: object = {}) => ({
    rate_card_id: card,
    carrier_name: 'Vans',
    company_prefix,
    ...more,
  });
  const create = (given: object, headers?: Record<string, string>) =>
    as('client_admin', '/carrier-accounts', { adapter: 'sheet', name: 'Own vans', ...given }, 'POST', headers);
  async function created(company_prefix: string, more: object = {}) {
    const { status, json, text } = await create({ settings: settings(company_prefix), ...more });
    expect(status, text).to.equal(201);
    return json.carrier_account;
  }
  const update = (id: number, body: object, headers?: Record<string, string>) =>
    as('client_admin', `/carrier-accounts/${id}`, body, 'PATCH', headers);
  const read = async (id: number) => (await as('client_admin', `/carrier-accounts/${id}`)).json.carrier_account;

  it('are created with the methods of the carrier, and with a range of numbers', async () => {
    const account = await created('4012345', { return_address: stopIn('10115'), price_tolerance_percent: '2.5' });
    const { id, created_at, updated_at, ...rest } = account;
    expect(created_at <= updated_at).to.equal(true);
    expect(rest).to.deep.equal({
      adapter: 'sheet',
      name: 'Own vans',
      status: 'active',
      credentials: { is_set: false, last4: null },
      settings: settings('4012345', { extension_digit: '0', serial_from: 0 }),
      price_tolerance_percent: '2.5',
      refund_on: 'refunded',
      return_address: stopIn('10115'),
      webhook_url: null,
      numbers: {
        scheme: 'sscc',
        prefix: '04012345',
        serial_from: 0,
        serial_to: 999_999_999,
        drawn_count: 0,
        remaining_count: 1_000_000_000,
        is_low: false,
      },
      methods: [
        {
          id: id * 1_000 + 1,
          code: 'standard',
          name: 'Standard',
          carrier: 'Vans',
          formats: ['pdf', 'png', 'zpl'],
          countries: null,
          enabled: true,
          is_withdrawn: false,
          markup_card: null,
        },
      ],
      version: 1,
    });
    const { methods: _methods, ...listed } = account;
    const { json } = await as('client_admin', '/carrier-accounts?adapter=sheet&status=active');
    expect(json.carrier_accounts).to.deep.include(listed);
  });

  it('are not created twice by a repeated request', async () => {
    const headers = { 'idempotency-key': 'account-1' };
    const first = await create({ settings: settings('4012346') }, headers);
    const again = await create({ settings: settings('4012346') }, headers);
    expect([first.status, again.status]).to.deep.equal([201, 201]);
    expect(again.json.carrier_account.id).to.equal(first.json.carrier_account.id);
  });

  it('are rejected with the path of a wrong member, and by the carrier', async () => {
    const codes = async (given: object) => {
      const { status, json } = await create(given);
      return [
        status,
        json.code,
        ...(json.errors ?? []).map(({ path, code }: Record<string, string>) => `${path} ${code}`),
      ];
    };
    expect(await codes({ adapter: 'unknown' })).to.deep.equal([400, 'INVALID_INPUT', '/adapter INVALID_VALUE']);
    expect(await codes({ settings: settings('401') })).to.deep.equal([
      400,
      'INVALID_INPUT',
      '/settings/company_prefix INVALID_FORM',
    ]);
    expect(await codes({ settings: settings('4012347'), credentials: { api_key: 'x' } })).to.deep.equal([
      400,
      'INVALID_INPUT',
      '/credentials/api_key UNKNOWN_FIELD',
    ]);
    // A card of the family label_service has no price of a transport.
    for (const rate_card_id of [999_999, labelCard]) {
      const { status, json } = await create({ settings: settings('4012347', { rate_card_id }) });
      expect([status, json.code, json.detail]).to.deep.equal([
        422,
        'CARRIER_REFUSED',
        'The carrier rejects the account: RATE_CARD_NOT_FOUND.',
      ]);
    }
    const { rows } = await t.service.engines.pool.query(
      `select from carrier_numbers.ranges where ranges::text like '%4012347%'`,
    );
    expect(rows, 'a refused account leaves no range').to.be.empty;
  });

  it('never share a number, also if the ranges are set at the same time', async () => {
    const attempts = await Promise.all(
      Array.from({ length: 6 }, () => create({ settings: settings('4012348', { serial_from: 100, serial_to: 199 }) })),
    );
    expect(attempts.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409, 409, 409, 409]);
    expect(attempts.find(({ status }) => status === 409)!.json.code).to.equal('NUMBERS_IN_USE');
    const { id } = attempts.find(({ status }) => status === 201)!.json.carrier_account;
    // 4012348 1 0000000 contains no number of the other range; 4012348 0 0000000 to 0 0000199 does.
    expect((await create({ settings: settings('40123480', { serial_to: 199 }) })).json.code).to.equal('NUMBERS_IN_USE');
    const next = await create({ settings: settings('4012348', { serial_from: 200, serial_to: 299 }) });
    expect(next.status, next.text).to.equal(201);
    const extended = await update(id, { settings: { serial_to: 200 } });
    expect([extended.status, extended.json.code]).to.deep.equal([409, 'NUMBERS_IN_USE']);
    expect((await read(id)).settings.serial_to, 'the refused change').to.equal(199);
    const shortened = await update(id, { settings: { serial_to: 150 } });
    expect(shortened.json.carrier_account.numbers).to.include({
      serial_from: 100,
      serial_to: 150,
      remaining_count: 51,
    });
  });

  it('change the given members only, and reject another version', async () => {
    const account = await created('4012349', { return_address: stopIn('10115') });
    const { id, version } = account;
    const changed = await update(id, { name: 'Renamed', refund_on: 'submitted' }, { 'if-match': `"${version}"` });
    expect(changed.status, changed.text).to.equal(200);
    const expected = { ...account, name: 'Renamed', refund_on: 'submitted' };
    const { updated_at: _now, version: next, ...rest } = changed.json.carrier_account;
    const { updated_at: _before, version: _version, ...same } = expected;
    expect(rest).to.deep.equal(same);
    expect(next).to.equal(version + 1);
    expect((await update(id, { name: 'Late' }, { 'if-match': `"${version}"` })).json.code).to.equal('VERSION_CHANGED');
    const removed = await update(id, { return_address: null, price_tolerance_percent: '100' });
    expect(removed.json.carrier_account).to.include({ return_address: null, price_tolerance_percent: '100' });
    for (const price_tolerance_percent of ['101', '-1', '1e2', '100.5'])
      expect((await update(id, { price_tolerance_percent })).status, price_tolerance_percent).to.equal(400);
  });

  it('are erased with their return address', async () => {
    const { id } = await created('4012350', { return_address: stopIn('10115') });
    const erased = await as('client_admin', `/privacy/subjects/carrieraccount-${id}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    expect((await read(id)).return_address).to.deep.equal({ city: 'Berlin', postal_code: '10115', country: 'DE' });
    const { rows } = await t.service.engines.pool.query(
      'select * from carrier_accounts.carrier_accounts where id = $1',
      [id],
    );
    expect(JSON.stringify(rows)).not.to.include('Ada Lovelace');
  });

  it('enable methods and give them a card of their family', async () => {
    const { id } = await created('4012351');
    const method = id * 1_000 + 1;
    const changed = await update(id, { methods: [{ id: method, enabled: false, markup_card: labelCard }] });
    expect(changed.json.carrier_account.methods[0]).to.include({ enabled: false, markup_card: labelCard });
    const refused = async (one: object) => {
      const { status, json } = await update(id, { methods: [one] });
      return [status, json.code, json.errors?.[0]?.code, json.errors?.[0]?.path];
    };
    const path = '/methods/0/markup_card';
    expect(await refused({ id: method, markup_card: card })).to.deep.equal([
      400,
      'INVALID_INPUT',
      'OTHER_FAMILY',
      path,
    ]);
    expect((await refused({ id: method, markup_card: 999_999 })).slice(0, 2)).to.deep.equal([
      404,
      'RATE_CARD_NOT_FOUND',
    ]);
    expect((await refused({ id: 1 })).slice(0, 2)).to.deep.equal([404, 'CARRIER_METHOD_NOT_FOUND']);
    const kept = await update(id, { refresh_methods: true });
    expect(kept.json.carrier_account.methods[0]).to.include({ enabled: false, markup_card: labelCard });
    const removed = await update(id, { methods: [{ id: method, markup_card: null }] });
    expect(removed.json.carrier_account.methods[0]).to.include({ markup_card: null });
  });

  it('get the new services of the rate card', async () => {
    const more = { code: 'express', names: { en: 'Express' } };
    const document = simpleCard({ services: [...(simpleCard()['services'] as object[]), more] });
    const { id } = await created('4012352');
    const own = await cardOf('shipping_service', {
      ...document,
      table: [
        ...(document['table'] as object[]),
        { service: 'express', lane: 'national', breaks: [{ up_to_kg: 5, amount: '9' }] },
      ],
    });
    const changed = await update(id, { settings: { rate_card_id: own } });
    expect(
      changed.json.carrier_account.methods.map(({ id, code }: Record<string, unknown>) => [id, code]),
    ).to.deep.equal([
      [id * 1_000 + 1, 'standard'],
      [id * 1_000 + 2, 'express'],
    ]);
  });

  it('are tested, and report what the carrier rejects', async () => {
    const own = await cardOf('shipping_service', simpleCard());
    const { id } = await created('4012353', { settings: settings('4012353', { rate_card_id: own }) });
    const test = async () => (await as('client_admin', `/carrier-accounts/${id}/test`, {})).json;
    expect(await test()).to.deep.equal({ result: true, code: null, message: null });
    await as('client_admin', `/rate-cards/${own}/retire`, {});
    expect(await test()).to.deep.equal({
      result: false,
      code: 'RATE_CARD_NOT_FOUND',
      message: 'There is no such rate card.',
    });
  });

  it('offer customers only methods with a price, without settings', async () => {
    const account = await created('4012355');
    const disabled = await created('4012356');
    await as('client_admin', `/carrier-accounts/${disabled.id}/disable`, {});
    const own = account.id * 1_000 + 1;
    const off = disabled.id * 1_000 + 1;
    const methods = async (user: 'customer' | 'employee', query = '') => {
      const { status, json, text } = await as(user, `/shipping-methods?per_page=200${query}`);
      expect(status, text).to.equal(200);
      return json.shipping_methods as { id: number; enabled: boolean }[];
    };
    const found = async (...of: Parameters<typeof methods>) => (await methods(...of)).map(({ id }) => id);
    expect(await found('employee')).to.include.members([own, off]);
    expect(await found('employee', '&enabled=true'))
      .to.include(own)
      .and.not.include(off);
    expect(await found('employee', `&carrier_account_ids=${account.id}`)).to.deep.equal([own]);
    expect(await found('customer'), 'no method has a card').to.be.empty;
    await update(account.id, { methods: [{ id: own, markup_card: labelCard }] });
    expect(await methods('customer')).to.deep.equal([
      {
        id: own,
        carrier_account_id: account.id,
        adapter: 'sheet',
        adapter_name: 'Own deliveries',
        carrier: 'Vans',
        code: 'standard',
        name: 'Standard',
        formats: ['pdf', 'png', 'zpl'],
        countries: null,
        enabled: true,
      },
    ]);
    await as('client_admin', '/pricing/defaults/label_service', { rate_card_id: labelCard }, 'PUT');
    expect(await found('customer'))
      .to.include(own)
      .and.not.include(off);
    expect(await found('customer', '&enabled=false')).to.be.empty;
    await as('client_admin', `/carrier-accounts/${disabled.id}/enable`, {});
    expect(await found('customer')).to.include(off);
  });

  it('belong to administrators of the business', async () => {
    const { id } = await created('4012357');
    for (const user of ['employee', 'customer', 'auditor', 'driver'] as const)
      expect((await as(user, `/carrier-accounts/${id}`)).status, user).to.equal(403);
    expect((await as('other_client_admin', `/carrier-accounts/${id}`)).json.code).to.equal('CARRIER_ACCOUNT_NOT_FOUND');
    expect((await as('other_client_admin', `/carrier-accounts/${id}/test`, {})).status).to.equal(404);
  });

  it('are rebuilt from the log', () => expectSameReplay(t, ['carrier_accounts', 'carrier_numbers']));
});
