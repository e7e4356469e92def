/** `null` in a PATCH clears a member (rule 4 of docs/api-style.md), and omitted members keep their values. */
import { expect } from 'chai';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';
import { expectSameReplay } from '../../support/checks/replay.js';

const ADDRESS = { name: 'Grace Hopper', street: 'Compilerweg 7', city: 'Oldenburg', country: 'DE' };

describe('members that PATCH clears', () => {
  let t: TestService;
  let as: AsUsers;
  before(async () => {
    t = await startTestService();
    as = asUsers(t);
  });
  after(() => t.stop());

  const read = async (path: string, resource: string) => {
    const { status, json, text } = await as('client_admin', path);
    expect(status, text).to.equal(200);
    return json[resource] as Record<string, unknown>;
  };
  /** Clears the members, and expects that only they have changed. Expects the same of a repetition. */
  async function expectCleared(path: string, resource: string, members: readonly string[], empty: null | undefined) {
    const before = await read(path, resource);
    for (const member of members) expect(before[member], member).to.not.be.oneOf([null, undefined]);
    const cleared = Object.fromEntries(members.map((member) => [member, null]));
    for (let times = 0; times < 2; times++) {
      const { status, text } = await as('client_admin', path, cleared, 'PATCH');
      expect(status, text).to.equal(200);
      const after = await read(path, resource);
      const expected = Object.entries(before).map(([name, value]) => [name, members.includes(name) ? empty : value]);
      expect({ ...after, version: 0 }).to.deep.equal({
        ...Object.fromEntries(expected.filter(([, value]) => value !== undefined)),
        version: 0,
      });
    }
    const [first] = members;
    const { status } = await as('client_admin', path, { [first!]: before[first!] }, 'PATCH');
    expect(status).to.equal(200);
    expect((await read(path, resource))[first!]).to.deep.equal(before[first!]);
  }

  it('of an entry of the address book', async () => {
    const body = { kind: 'recipient', address: ADDRESS, label: 'Zuckerwatte', note: 'Ring twice.' };
    const { id } = (await as('client_admin', '/address-book', body)).json.address_book_entry;
    await expectCleared(`/address-book/${id}`, 'address_book_entry', ['label', 'note'], undefined);
    await as('client_admin', `/address-book/${id}`, { label: null }, 'PATCH');
    const found = await as('client_admin', '/addresses/search?query=Zuckerwatte');
    expect(found.json.addresses, 'the search index does not contain the former label').to.deep.equal([]);
  });

  it('of a point of interest', async () => {
    const body = {
      name: 'Kiosk',
      category: 'pickup_point',
      position: { latitude: 52.5, longitude: 13.4 },
      address: { street: 'Platz 1', city: 'Berlin', country: 'DE' },
      phone: '+49 30 5550100',
      note: 'Code 12',
      radius_m: 80,
      external_ref: 'K-1',
    };
    const { id } = (await as('client_admin', '/pois', body)).json.poi;
    const members = ['external_ref', 'address', 'phone', 'note', 'radius_m'];
    await expectCleared(`/pois/${id}`, 'poi', members, undefined);
    expect((await as('client_admin', '/pois?external_ref=K-1')).json.pois).to.have.length(1);
    await as('client_admin', `/pois/${id}`, { external_ref: null }, 'PATCH');
    expect((await as('client_admin', '/pois?external_ref=K-1')).json.pois).to.deep.equal([]);
  });

  it('of a user, a warehouse and a shift', async () => {
    const { driver } = t.demo.users;
    await as('client_admin', `/users/${driver.id}`, { phone: '+49 170 5550100' }, 'PATCH');
    await expectCleared(`/users/${driver.id}`, 'user', ['phone'], null);

    const site = { code: 'CLR', name: 'Hall', address: ADDRESS, timezone: 'Europe/Berlin' };
    const opened = await as('client_admin', '/wms/warehouses', { ...site, contact: 'Gate 3' });
    expect(opened.status, opened.text).to.equal(201);
    await expectCleared(`/wms/warehouses/${opened.json.warehouse.id}`, 'warehouse', ['contact'], undefined);

    const fleet = (await as('client_admin', '/fleets', { name: 'Vans' })).json.fleet.id;
    await as('client_admin', `/fleets/${fleet}/drivers`, { driver_ids: [driver.id] }, 'PUT');
    await as('client_admin', `/fleets/${fleet}/vehicles`, { vehicles: [{ id: 'V1', name: 'Van' }] }, 'PUT');
    const shift = {
      driver_id: driver.id,
      start_at: '2083-02-01T07:00:00Z',
      end_at: '2083-02-01T15:00:00Z',
      vehicle_id: 'V1',
    };
    const planned = await as('client_admin', `/fleets/${fleet}/shifts/batch`, { shifts: [shift] });
    await expectCleared(`/shifts/${planned.json.results[0].shift.id}`, 'shift', ['vehicle_id'], null);
  });

  it('are the same after a replay', () =>
    expectSameReplay(t, ['addresses', 'pois', 'accounts', 'warehouses', 'shifts']));
});
