/** The shift calendar over real HTTP. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers, type UserName } from '../../support/worlds/users.js';

const HOUR_MS = 3_600_000;

describe('shifts', () => {
  let t: TestService;
  let as: AsUsers;
  let fleet: number;
  before(async () => {
    t = await startTestService();
    as = asUsers(t);
    fleet = (await as('client_admin', '/fleets', { name: 'Vans' })).json.fleet.id;
    await as('client_admin', `/fleets/${fleet}/drivers`, { driver_ids: [id('driver')] }, 'PUT');
    await as('client_admin', `/fleets/${fleet}/vehicles`, { vehicles: [{ id: 'V1', name: 'Van' }] }, 'PUT');
  });
  after(() => t.stop());

  const id = (user: UserName) => t.demo.users[user].id;
  const shift = (from: string, to: string, more: object = {}) => ({
    driver_id: id('driver'),
    start_at: from,
    end_at: to,
    ...more,
  });
  const plan = (shifts: object[], user: UserName = 'client_admin', of = fleet) =>
    as(user, `/fleets/${of}/shifts/batch`, { shifts });
  const calendar = (from: string, to: string, user: UserName = 'employee', of = fleet) =>
    as(user, `/fleets/${of}/shifts?schedule_date_from=${from}&schedule_date_to=${to}`);

  it('are planned, listed in the timezone of the business, changed and cancelled', async () => {
    const planned = await plan([
      shift('2083-02-01T07:00:00Z', '2083-02-01T15:30:00Z', {
        vehicle_id: 'V1',
        breaks: [{ duration_s: 1_800, earliest_at: '2083-02-01T10:00:00Z', latest_at: '2083-02-01T12:00:00Z' }],
        start_place: { kind: 'coordinates', position: { latitude: 52.5, longitude: 13.4 } },
      }),
    ]);
    expect(planned.status, planned.text).to.equal(200);
    const shiftId = planned.json.results[0].shift.id;
    const { timezone } = (await as('client_admin', '/me')).json.user;
    const seen = (await calendar('2083-02-01', '2083-02-01')).json.shifts;
    expect(seen).to.have.length(1);
    const { version, ...first } = seen[0];
    expect(version).to.equal(0);
    expect(planned.json.results).to.deep.equal([{ index: 0, result: true, shift: first }]);
    for (const user of ['driver', 'auditor'] as const)
      expect((await as(user, `/shifts/${shiftId}`)).json, user).to.deep.equal({ result: true, shift: seen[0] });
    expect((await as('broker', `/shifts/${shiftId}`)).status).to.equal(404);
    expect(seen[0]).to.deep.include({
      id: shiftId,
      driver_id: id('driver'),
      vehicle_id: 'V1',
      status: 'planned',
      start_place: { kind: 'coordinates', warehouse_id: null, position: { latitude: 52.5, longitude: 13.4 } },
      end_place: { kind: 'open', warehouse_id: null, position: null },
    });
    expect(Date.parse(seen[0].start_at)).to.equal(Date.parse('2083-02-01T07:00:00Z'));
    expect(seen[0].start_at, timezone).to.match(timezone === 'UTC' ? /\+00:00$/ : /\+01:00$/);
    const changed = await as('employee', `/shifts/${shiftId}`, { end_at: '2083-02-01T16:00:00Z', breaks: [] }, 'PATCH');
    expect(changed.status, changed.text).to.equal(200);
    const [after] = (await calendar('2083-02-01', '2083-02-01')).json.shifts;
    expect([Date.parse(after.end_at), after.breaks, after.start_place.position.latitude]).to.deep.equal([
      Date.parse('2083-02-01T16:00:00Z'),
      [],
      52.5,
    ]);
    expect(
      (await as('employee', `/shifts/${shiftId}`, { start_at: '2083-01-31T22:00:00Z' }, 'PATCH')).json.code,
    ).to.equal('SHIFT_MONTH');
    for (let twice = 0; twice < 2; twice++)
      expect((await as('employee', `/shifts/${shiftId}`, undefined, 'DELETE')).status).to.equal(200);
    expect((await calendar('2083-02-01', '2083-02-01')).json.shifts).to.deep.equal([]);
    expect((await as('driver', `/shifts/${shiftId}/confirm`, {})).status).to.equal(404);
  });

  it('drivers-and-fleets R12: never overlap, also across the end of a month, and for concurrent requests', async () => {
    const night = shift('2083-03-31T20:00:00Z', '2083-04-01T06:00:00Z');
    const early = shift('2083-04-01T05:00:00Z', '2083-04-01T13:00:00Z');
    const late = shift('2083-04-01T06:00:00Z', '2083-04-01T14:00:00Z');
    expect((await plan([night])).json.results[0].result).to.equal(true);
    const refused = (await plan([early, late])).json;
    expect([refused.result, refused.results[1].result]).to.deep.equal([true, true]);
    expect(refused.results[0]).to.include({ index: 0, result: false, code: 'SHIFT_OVERLAPS' });
    const earlier = await as(
      'employee',
      `/shifts/${refused.results[1].shift.id}`,
      { start_at: early.start_at },
      'PATCH',
    );
    expect([earlier.status, earlier.json.code]).to.deep.equal([409, 'SHIFT_OVERLAPS']);
    const races = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        plan([
          n % 2 === 0
            ? shift('2083-05-31T20:00:00Z', '2083-06-01T06:00:00Z')
            : shift('2083-06-01T04:00:00Z', '2083-06-01T12:00:00Z'),
        ]),
      ),
    );
    expect(races.filter(({ json }) => json.result)).to.have.length(1);
    expect((await calendar('2083-05-31', '2083-06-02')).json.total).to.equal(1);
  });

  it('drivers-and-fleets R12: a change within 24 hours requires a new confirmation, an earlier one does not', async () => {
    const at = (hours: number) => new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + hours * HOUR_MS).toISOString();
    const planned = (await plan([shift(at(2), at(6)), shift(at(100), at(104))])).json.results;
    const [soon, later] = planned.map((one: { shift: { id: number } }) => one.shift.id);
    for (const one of [soon, later]) {
      expect((await as('driver', `/shifts/${one}/confirm`, {})).status).to.equal(200);
      expect((await as('driver', `/shifts/${one}/confirm`, {})).status).to.equal(200);
      expect((await as('employee', `/shifts/${one}`, { vehicle_id: 'V1' }, 'PATCH')).status).to.equal(200);
    }
    const shown = (await calendar(at(0).slice(0, 10), at(150).slice(0, 10))).json.shifts;
    const states = new Map(shown.map((one: { id: number; status: string }) => [one.id, one.status]));
    expect([states.get(soon), states.get(later)]).to.deep.equal(['planned', 'confirmed']);
  });

  it('reject invalid times, places, vehicles, and drivers of other fleets', async () => {
    const day = ['2083-07-01T08:00:00Z', '2083-07-01T16:00:00Z'] as const;
    for (const [more, status, code] of [
      [{ end_at: day[0] }, 400, 'INVALID_INPUT'],
      [{ end_at: '2083-07-03T16:00:00Z' }, 400, 'INVALID_INPUT'],
      [{ breaks: [{ duration_s: 60, earliest_at: day[0], latest_at: day[1] }] }, 400, 'INVALID_INPUT'],
      [{ start_place: { kind: 'warehouse' } }, 400, 'INVALID_INPUT'],
      [{ start_place: { kind: 'warehouse', warehouse_id: 2_000_000 } }, 404, 'WAREHOUSE_NOT_FOUND'],
      [{ vehicle_id: 'V9' }, 404, 'VEHICLE_NOT_FOUND'],
      [{ driver_id: id('broker') }, 404, 'DRIVER_NOT_FOUND'],
    ] as const) {
      const answer = await plan([shift(...day, more)]);
      expect([answer.status, answer.json.code], JSON.stringify(more)).to.deep.equal([status, code]);
    }
  });

  it('drivers-and-fleets 6: a captain of fleet A sees nothing of a driver of fleet B', async () => {
    const contractors = (await as('broker', '/fleets', { name: 'B' })).json.fleet.id;
    const planned = await plan([shift('2083-08-01T08:00:00Z', '2083-08-01T16:00:00Z')]);
    const own = planned.json.results[0].shift.id;
    const foreign = await plan([shift('2083-08-02T08:00:00Z', '2083-08-02T16:00:00Z')], 'broker', contractors);
    expect([foreign.status, foreign.json.code]).to.deep.equal([404, 'DRIVER_NOT_FOUND']);
    expect((await calendar('2083-08-01', '2083-08-01', 'broker')).status).to.equal(404);
    expect((await as('broker', `/shifts/${own}`, { breaks: [] }, 'PATCH')).status).to.equal(404);
    expect((await as('broker', `/shifts/${own}`, undefined, 'DELETE')).status).to.equal(404);
    expect((await plan([shift('2083-08-03T08:00:00Z', '2083-08-03T16:00:00Z')], 'broker')).status).to.equal(404);
    // The office can see the fleet of a contractor, but cannot plan in it.
    expect((await calendar('2083-08-01', '2083-08-01', 'employee', contractors)).status).to.equal(200);
    expect(
      (await plan([shift('2083-08-03T08:00:00Z', '2083-08-03T16:00:00Z')], 'employee', contractors)).status,
    ).to.equal(403);
    await as('client_admin', `/fleets/${fleet}/captains`, { user_ids: [id('broker')] }, 'PUT');
    expect((await calendar('2083-08-01', '2083-08-01', 'broker')).json.total).to.equal(1);
    expect((await as('broker', `/shifts/${own}`, { breaks: [] }, 'PATCH')).status).to.equal(200);
  });

  it('a driver sees only their own shifts; the start place is encrypted and erased with the account', async () => {
    const mine = (await calendar('2083-08-01', '2083-08-01', 'driver')).json;
    expect(mine.shifts.map((one: { driver_id: number }) => one.driver_id)).to.deep.equal([id('driver')]);
    await plan([
      shift('2083-09-01T08:00:00Z', '2083-09-01T16:00:00Z', {
        end_place: { kind: 'coordinates', position: { latitude: 48.123456, longitude: 11.5 } },
      }),
    ]);
    const sealedRows = await t.service.engines.pool.query<{ text: string }>(
      'select sealed::text as text from shifts.shifts',
    );
    expect(sealedRows.rows.map(({ text }) => text).join()).not.to.include('48.123456');
    const erased = await as('client_admin', `/privacy/subjects/account-${id('driver')}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    const [remainingShift] = (await calendar('2083-09-01', '2083-09-01')).json.shifts;
    expect([remainingShift.driver_id, remainingShift.end_place]).to.deep.equal([
      id('driver'),
      { kind: 'coordinates', warehouse_id: null, position: null },
    ]);
    await expectSameReplay(t, ['shifts']);
  });
});
