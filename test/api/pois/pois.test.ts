/** Points of interest over real HTTP: visibility, search, and erasure. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers, type UserName } from '../../support/worlds/users.js';

describe('points of interest', () => {
  let t: TestService;
  let as: AsUsers;
  before(async () => {
    t = await startTestService();
    as = asUsers(t);
  });
  after(() => t.stop());

  const DEPOT = {
    name: 'Depot Mitte',
    category: 'depot',
    position: { latitude: 52.52, longitude: 13.405 },
    address: { street: 'Torstr. 1', city: 'Berlin', country: 'DE' },
    opening_hours: [{ day: 1, from: '08:00', to: '18:00' }],
    phone: '+49 30 1234567',
    note: 'Code 4711, ask for Pat',
    tags: ['ramp'],
    radius_m: 150,
    external_ref: 'D-1',
  };
  const make = async (place: object = DEPOT) => {
    const { status, json, text } = await as('employee', '/pois', place);
    expect(status, text).to.equal(201);
    return json.poi.id as number;
  };
  const found = async (query: string, user: UserName = 'driver') => {
    const { status, json, text } = await as(user, `/pois?${query}`);
    expect(status, text).to.equal(200);
    return (json.pois as { name: string }[]).map(({ name }) => name);
  };

  it('are created, read, changed and archived', async () => {
    const id = await make();
    expect((await as('driver', `/pois/${id}`)).json.poi).to.deep.equal({
      id,
      ...DEPOT,
      visibility: 'business',
      version: 0,
    });
    await as('employee', `/pois/${id}`, { name: 'Depot Nord', note: '', tags: [] }, 'PATCH');
    const { note: _note, ...rest } = DEPOT;
    expect((await as('broker', `/pois/${id}`)).json.poi).to.deep.equal({
      id,
      ...rest,
      name: 'Depot Nord',
      tags: [],
      visibility: 'business',
      version: 1,
    });
    expect((await as('employee', `/pois/${id}`, undefined, 'DELETE')).status).to.equal(200);
    expect((await as('employee', `/pois/${id}`)).status).to.equal(404);
    expect((await as('employee', `/pois/${id}`, { name: 'x' }, 'PATCH')).json.code).to.equal('POI_NOT_FOUND');
    expect((await as('driver', '/pois', DEPOT)).status).to.equal(403);
  });

  it('are shown to customers if public, without internal fields', async () => {
    const hidden = await make({ ...DEPOT, name: 'Secret Depot' });
    const shown = await make({ ...DEPOT, name: 'Corner Shop', category: 'pickup_point', visibility: 'public' });
    expect((await as('customer', `/pois/${hidden}`)).status).to.equal(404);
    const { poi } = (await as('customer', `/pois/${shown}`)).json;
    expect(poi).to.include({ name: 'Corner Shop', phone: DEPOT.phone });
    expect(poi).to.not.have.any.keys('note', 'external_ref');
    expect(await found('', 'customer')).to.deep.equal(['Corner Shop']);
    expect((await as('other_client_admin', `/pois/${shown}`)).status).to.equal(404);
  });

  it('are found by category and position, the nearest first', async () => {
    const at = (latitude: number, longitude: number) => ({ latitude, longitude });
    for (const [name, position] of [
      ['Near', at(48.1, 11.5)],
      ['Far', at(48.2, 11.5)],
      ['Farther 100%', at(48.9, 11.5)],
      ['Fiji', at(-17, 179.9)],
      ['Samoa', at(-14, -172)],
    ] as const)
      await make({ name, category: 'shop', position, tags: name === 'Far' ? ['late', 'big'] : ['late'] });
    expect(await found('category=shop&latitude=48.1&longitude=11.5&within_m=20000')).to.deep.equal(['Near', 'Far']);
    const { json } = await as('driver', '/pois?category=shop&latitude=48.21&longitude=11.5&within_m=2000');
    expect(json.pois[0]).to.include({ name: 'Far', distance_m: 1112 });
    expect(await found('category=shop&bbox=170,-20,-170,-10')).to.deep.equal(['Fiji', 'Samoa']);
    expect(await found('category=shop&bbox=11,48.05,12,48.3')).to.deep.equal(['Near', 'Far']);
    expect(await found('tag=big')).to.deep.equal(['Far']);
    expect(await found(`query=${encodeURIComponent('100%')}`)).to.deep.equal(['Farther 100%']);
    expect(await found('external_ref=D-1&query=secret')).to.deep.equal(['Secret Depot']);
  });

  it('reject invalid input', async () => {
    for (const body of [
      { ...DEPOT, position: { latitude: 91, longitude: 0 } },
      { ...DEPOT, category: 'Two Words' },
      { ...DEPOT, opening_hours: [{ day: 0, from: '08:00', to: '09:00' }] },
      { ...DEPOT, visibility: 'world' },
    ])
      expect((await as('employee', '/pois', body)).status, JSON.stringify(body)).to.equal(400);
    for (const query of ['latitude=48', 'longitude=11', 'bbox=1,2,3', 'bbox=0,50,10,40', 'bbox=0,0,181,1'])
      expect((await as('employee', `/pois?${query}`)).status, query).to.equal(400);
  });

  it('store no contact as plaintext, erase it, and read the same after a rebuild', async () => {
    const id = await make({ ...DEPOT, name: 'Garage' });
    const { rows } = await t.service.engines.pool.query<{ text: string }>('select p::text as text from pois.pois p');
    for (const text of ['Torstr', '4711', '1234567']) expect(rows.map((row) => row.text).join()).not.to.include(text);
    const erased = await as('client_admin', `/privacy/subjects/poi-${id}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    const { poi } = (await as('employee', `/pois/${id}`)).json;
    expect(poi).to.include({ name: 'Garage', radius_m: 150 });
    expect(poi).to.not.have.any.keys('phone', 'note');
    expect(poi.address).to.deep.equal({ city: 'Berlin', country: 'DE' });
    await expectSameReplay(t, ['pois']);
  });
});
