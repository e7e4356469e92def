/** Fleets over real HTTP: owners, visibility and content. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers, type UserName } from '../../support/worlds/users.js';

describe('fleets', () => {
  let t: TestService;
  let as: AsUsers;
  before(async () => {
    t = await startTestService();
    as = asUsers(t);
  });
  after(() => t.stop());

  const make = async (user: UserName = 'client_admin') =>
    (await as(user, '/fleets', { name: 'Vans' })).json.fleet.id as number;
  const set = (id: number, what: string, body: object, user: UserName = 'client_admin') =>
    as(user, `/fleets/${id}/${what}`, body, 'PUT');
  const id = (user: UserName) => t.demo.users[user].id;

  it('are created, filled, read and dissolved; setting the same again changes nothing', async () => {
    const fleet = await make();
    const van = {
      id: 'VAN-1',
      name: 'Sprinter',
      plate: 'B-OT 1',
      capacity: { weight_kg: 900 },
      attributes: ['fridge'],
      cost: { per_route: '12.00', per_km: '0.40' },
    };
    const truck = { id: 'TRUCK-1', name: 'Atego', max_gross_kg: 12_000 };
    expect((await set(fleet, 'vehicles', { vehicles: [van, truck] })).status).to.equal(200);
    await set(fleet, 'drivers', { driver_ids: [id('driver'), id('driver')] });
    const { json } = await as('auditor', `/fleets/${fleet}`);
    expect(json).to.deep.equal({
      result: true,
      fleet: {
        id: fleet,
        name: 'Vans',
        broker_id: null,
        captain_ids: [],
        driver_ids: [id('driver')],
        vehicle_count: 2,
        board_rules: { claims_per_day: 2, standby_limit: 5, withdraw_hours: 12 },
        version: 3,
        vehicles: [
          { ...truck, capacity: {}, attributes: [], speed_factor: 1, cost: {} },
          { ...van, speed_factor: 1 },
        ],
      },
    });
    for (const [what, list] of [
      ['captains', { user_ids: [] }],
      ['drivers', { driver_ids: [id('driver')] }],
      ['vehicles', { vehicles: json.fleet.vehicles }],
    ] as const) {
      expect((await as('auditor', `/fleets/${fleet}/${what}`)).json).to.deep.equal({
        result: true,
        version: 3,
        ...list,
      });
      expect((await as('driver', `/fleets/${fleet}/${what}`)).status, what).to.equal(404);
    }
    const length = async () => {
      let count = 0;
      for await (const _event of t.service.engines.log.read(`fleet-${fleet}`)) count += 1;
      return count;
    };
    const before = await length();
    await set(fleet, 'drivers', { driver_ids: [id('driver')] });
    await set(fleet, 'vehicles', { vehicles: [{ ...van, plate: undefined }, truck] });
    expect(await length()).to.equal(before);
    await set(fleet, 'vehicles', { vehicles: [truck] });
    expect((await set(fleet, 'vehicles', { vehicles: [truck, van] })).json.code).to.equal('VEHICLE_ID_TAKEN');
    expect((await set(fleet, 'vehicles', { vehicles: [truck, truck] })).json.code).to.equal('VEHICLE_ID_TAKEN');
    expect((await as('employee', `/fleets/${fleet}`, { name: 'Trucks' }, 'PATCH')).status).to.equal(200);
    expect((await as('employee', `/fleets/${fleet}`, undefined, 'DELETE')).status).to.equal(200);
    expect((await as('client_admin', `/fleets/${fleet}`)).status).to.equal(404);
    expect((await set(fleet, 'drivers', { driver_ids: [] })).status).to.equal(404);
  });

  it('accept only users of the business with the right role', async () => {
    const fleet = await make();
    for (const [what, body] of [
      ['drivers', { driver_ids: [id('employee')] }],
      ['drivers', { driver_ids: [2_000_000_000] }],
      ['captains', { user_ids: [id('customer')] }],
      ['captains', { user_ids: [id('other_broker')] }],
    ] as const)
      expect((await set(fleet, what, body)).json.code, JSON.stringify(body)).to.equal('UNKNOWN_MEMBER');
  });

  it('of a contractor are visible to offices, not to other contractors, and neither changes them', async () => {
    const fleet = await make('broker');
    expect((await as('broker', `/fleets/${fleet}`)).json.fleet.broker_id).to.equal(id('broker'));
    expect((await as('employee', `/fleets/${fleet}`)).status).to.equal(200);
    expect((await set(fleet, 'captains', { user_ids: [] }, 'employee')).status).to.equal(403);
    expect((await set(fleet, 'vehicles', { vehicles: [] }, 'employee')).status).to.equal(403);
    for (const path of [`/fleets/${fleet}`]) expect((await as('broker_2', path)).status, path).to.equal(404);
    for (const [what, body] of [
      ['drivers', { driver_ids: [] }],
      ['captains', { user_ids: [] }],
      ['vehicles', { vehicles: [] }],
    ] as const)
      expect((await set(fleet, what, body, 'broker_2')).status, what).to.equal(404);
    expect((await as('broker_2', '/fleets')).json.fleets).to.deep.equal([]);
  });

  it('N12: give a contractor the same response for existing users that it does not manage and for missing ids', async () => {
    const fleet = await make('broker');
    const MISSING = 2_000_000_000;
    const answerTo = async (user: UserName, what: string, userId: number) => {
      const member = what === 'captains' ? 'user_ids' : 'driver_ids';
      const { status, json } = await set(fleet, what, { [member]: [userId] }, user);
      const { code, detail } = json as { code?: string; detail?: string };
      return { status, code, detail: detail?.replaceAll(String(userId), '?') };
    };
    for (const what of ['captains', 'drivers']) {
      const missing = await answerTo('broker', what, MISSING);
      expect([missing.status, missing.code]).to.deep.equal([400, 'UNKNOWN_MEMBER']);
      for (const user of [
        'employee',
        'client_admin',
        'broker_2',
        'driver',
        'customer',
        'auditor',
        'other_broker',
      ] as const)
        expect(await answerTo('broker', what, id(user)), `${what} ${user}`).to.deep.equal(missing);
    }
    expect((await set(fleet, 'captains', { user_ids: [id('broker')] }, 'broker')).status).to.equal(200);
    // A driver whom the office put on a fleet of the contractor is known to it.
    const own = await make('broker');
    await set(own, 'drivers', { driver_ids: [id('driver')] });
    expect((await set(fleet, 'captains', { user_ids: [id('broker'), id('driver')] }, 'broker')).status).to.equal(200);
    // Captains stay when the list is set again, also after they left as drivers.
    await set(own, 'drivers', { driver_ids: [] });
    expect((await set(fleet, 'captains', { user_ids: [id('driver')] }, 'broker')).status).to.equal(200);
    for (const one of [fleet, own]) await as('broker', `/fleets/${one}`, undefined, 'DELETE');
  });

  it('are visible to their captains, who only set drivers; a captain of A sees nothing of B', async () => {
    const [a, b] = [await make(), await make()];
    await set(a, 'captains', { user_ids: [id('driver')] });
    expect((await as('driver', '/fleets')).json.fleets.map((one: { id: number }) => one.id)).to.deep.equal([a]);
    expect((await set(a, 'drivers', { driver_ids: [id('driver')] }, 'driver')).status).to.equal(200);
    expect((await set(a, 'vehicles', { vehicles: [] }, 'driver')).status).to.equal(403);
    expect((await as('driver', `/fleets/${b}`)).status).to.equal(404);
    expect((await set(b, 'drivers', { driver_ids: [] }, 'driver')).status).to.equal(404);
    await set(a, 'captains', { user_ids: [] });
    expect((await as('driver', `/fleets/${a}`)).status).to.equal(404);
  });

  it('get drivers from the office: contractors and captains can add only their own drivers', async () => {
    const [own, other, theirs] = [await make(), await make(), await make('broker')];
    const driver = async (name: string) => {
      const body = { email: `${name}@example.com`, password: 'correct horse battery staple', name, role: 'driver' };
      return { id: (await as('client_admin', '/users', body)).json.user.id as number };
    };
    const [a, b] = [await driver('ada'), await driver('ben')];
    await set(own, 'captains', { user_ids: [id('driver')] });
    for (const [fleet, user] of [
      [own, 'driver'],
      [theirs, 'broker'],
    ] as const) {
      const foreign = await set(fleet, 'drivers', { driver_ids: [a.id] }, user);
      expect([foreign.status, foreign.json.code], user).to.deep.equal([400, 'UNKNOWN_MEMBER']);
      const unknownDriver = await set(fleet, 'drivers', { driver_ids: [2_000_000_000] }, user);
      expect(foreign.json.detail.replace(String(a.id), '?')).to.equal(
        unknownDriver.json.detail.replace('2000000000', '?'),
      );
      expect((await as(user, `/drivers/${a.id}/info`)).status, user).to.equal(404);
    }
    await set(own, 'drivers', { driver_ids: [a.id] });
    await set(theirs, 'drivers', { driver_ids: [a.id, b.id] });
    await set(other, 'captains', { user_ids: [id('driver')] });
    expect((await set(other, 'drivers', { driver_ids: [a.id, id('driver')] }, 'driver')).status).to.equal(200);
    expect((await set(other, 'drivers', { driver_ids: [a.id, b.id] }, 'driver')).status).to.equal(400);
    expect((await set(theirs, 'drivers', { driver_ids: [b.id] }, 'broker')).status).to.equal(200);
    expect((await set(theirs, 'drivers', { driver_ids: [a.id, b.id] }, 'broker')).status).to.equal(400);
  });

  it('store no plate as plaintext, erase it, and read the same after a rebuild', async () => {
    const fleet = await make();
    await set(fleet, 'vehicles', { vehicles: [{ id: 'V', name: 'Van', plate: 'B-SECRET 7' }] });
    const { rows } = await t.service.engines.pool.query<{ text: string }>(
      'select vehicles::text as text from fleets.fleets',
    );
    expect(rows.map(({ text }) => text).join()).not.to.include('B-SECRET');
    expect((await as('employee', `/fleets/${fleet}`)).json.fleet.vehicles[0].plate).to.equal('B-SECRET 7');
    const erased = await as('client_admin', `/privacy/subjects/fleet-${fleet}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    expect((await as('employee', `/fleets/${fleet}`)).json.fleet.vehicles[0]).to.not.have.property('plate');
    await expectSameReplay(t, ['fleets']);
  });
});
