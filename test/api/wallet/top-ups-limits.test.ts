/** Simultaneous requests about top-ups: the limits of an account hold, and one confirmation counts. */
import { expect } from 'chai';
import { storedEvents } from '../../support/checks/stored-events.js';
import { query } from '../../support/worlds/database.js';
import { PROFILE, TOP_UP } from '../../support/inputs/top-ups.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';

const TOP_UPS = '/customer/wallet/top-ups';
const DAY = 24 * 3_600_000;
const CLIENTS = 8;

describe('simultaneous requests about top-ups', () => {
  let clock = Date.parse('2026-03-01T10:00:00Z');
  let test: TestService;
  let as: AsUsers;
  before(async () => {
    test = await startTestService({ now: () => clock, env: { RATE_LIMIT_WRITE: '100000' } });
    as = asUsers(test);
    await as('client_admin', '/billing-profile', PROFILE, 'PUT');
    await later(0);
  });
  after(() => test.stop());

  /** Each user signs in once, before simultaneous requests: a token does not last for a day. */
  const later = async (ms: number) => {
    clock += ms;
    for (const user of ['customer', 'employee'] as const) expect((await as(user, '/me')).status).to.equal(200);
  };
  const begin = () => as('customer', TOP_UPS, TOP_UP);
  const pending = async () => (await as('employee', `${TOP_UPS}?status=pending&per_page=200`)).json;
  const confirm = (id: number, amount: string) => as('employee', `/top-ups/${id}/confirm`, { amount });
  const confirmAll = async () => {
    for (const { id } of (await pending()).top_ups) expect((await confirm(id, '1.00')).status).to.equal(200);
  };
  const together = async (count: number) => {
    const responses = await Promise.all(Array.from({ length: count }, begin));
    expect(responses.map(({ status }) => status).filter((status) => status !== 201 && status !== 429)).to.deep.equal(
      [],
    );
    return {
      begun: responses.filter(({ status }) => status === 201).length,
      refused: responses.filter(({ status }) => status === 429),
    };
  };

  it('begin at most 20 open top-ups', async () => {
    const { begun, refused } = await together(30);
    expect(begun).to.equal(20);
    expect((await pending()).total).to.equal(20);
    const [{ json, headers }] = refused as [(typeof refused)[number]];
    expect(json).to.include({
      code: 'RATE_LIMITED',
      message: 'An account can have at most 20 open top-ups, and begin at most 60 within 24 hours.',
    });
    expect(Number(headers.get('retry-after'))).to.be.at.least(1);
    const seconds = (await begin()).headers.get('retry-after');
    expect(seconds, 'until the first one expires').to.equal(String((14 * DAY) / 1_000));
    const [{ id }] = (await pending()).top_ups;
    await confirm(id, '50.00');
    expect((await together(5)).begun, 'one place is free').to.equal(1);
  });

  it('begin at most 60 top-ups within 24 hours', async () => {
    let begun = 21;
    for (let round = 0; round < 3; round += 1) {
      await confirmAll();
      clock += 60_000;
      begun += (await together(25)).begun;
    }
    expect(begun).to.equal(60);
    await confirmAll();
    const { status, headers } = await begin();
    expect([status, headers.get('retry-after')]).to.deep.equal([429, String(DAY / 1_000 - 180)]);
    await later(DAY);
    expect((await begin()).status).to.equal(201);
  });

  it('of other customers have separate limits', async () => {
    await later(DAY);
    await together(30);
    const person = { email: 'second@example.com', password: 'long enough password' };
    await as('client_admin', '/users', { ...person, name: 'Second', role: 'customer' });
    const { json } = await test.api('/user/login', { body: person });
    const other = await test.api(TOP_UPS, { key: json.access_token as string, body: TOP_UP });
    expect(other.status, other.text).to.equal(201);
    expect((await begin()).status).to.equal(429);
  });

  it('count a top-up that is not in the read model yet, for ten minutes', async () => {
    await confirmAll();
    const id = test.demo.users.customer.id;
    const claims = (age: string) =>
      query(
        test.databaseUrl,
        `insert into access.top_up_claims select 900000 + n, $1, now() - $2::interval from generate_series(1, 20) n
         on conflict (top_up_id) do update set claimed_at = excluded.claimed_at`,
        [id, age],
      );
    await claims('9 minutes');
    const refused = await begin();
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([429, '60']);
    await claims('11 minutes');
    expect((await begin()).status).to.equal(201);
  });

  it('confirm a top-up once', async () => {
    await confirmAll();
    await later(DAY);
    const before = (await as('customer', '/customer/credits')).json.balance as string;
    const { id } = (await begin()).json.top_up as { id: number };
    const same = await Promise.all(Array.from({ length: CLIENTS }, () => confirm(id, '50.00')));
    expect(same.map(({ status }) => status)).to.deep.equal(Array.from({ length: CLIENTS }, () => 200));
    const cents = (amount: string) => Number(amount.replace('.', ''));
    const balance = async () => cents((await as('customer', '/customer/credits')).json.balance);
    expect(await balance()).to.equal(cents(before) + 5_000);

    const other = (await begin()).json.top_up.id as number;
    const different = await Promise.all(
      Array.from({ length: CLIENTS }, (_, index) => confirm(other, `${index + 1}.00`)),
    );
    const accepted = different.flatMap(({ status }, index) => (status === 200 ? [index + 1] : []));
    expect(accepted).to.have.length(1);
    expect(different.map(({ status }) => status).filter((status) => status === 409)).to.have.length(CLIENTS - 1);
    expect(await balance()).to.equal(cents(before) + 5_000 + 100 * accepted[0]!);
    const credited = (await storedEvents(test.service.engines.log)).flatMap(({ type, data }) =>
      type === 'FundsAdded' && [id, other].includes(data['topup_id'] as number) ? [data['topup_id']] : [],
    );
    expect(credited).to.deep.equal([id, other]);
  });
});
