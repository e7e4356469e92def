/** Profiles and documents of drivers, over real HTTP: validity, effects, notifications and erasure. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { eventually } from '../../support/eventually.js';
import { openBoard, type BoardWorld } from '../../support/worlds/board.js';
import { DAY_MS, dayIn } from '../../support/worlds/days.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns, type UserName } from '../../support/worlds/users.js';

const PDF = Buffer.from('%PDF-1.7\nThe licence of Ada Lovelace');

describe('profiles and documents of drivers', () => {
  let t: TestService;
  let board: BoardWorld;
  const clock = { ahead: 0 };
  const now = () => Date.now() + clock.ahead;
  before(async () => {
    t = await startTestService({ now, env: { RATE_LIMIT_WRITE: '100000', RATE_LIMIT_READ: '100000' } });
    board = await openBoard(t, 4);
  });
  afterEach(() => void (clock.ahead = 0));
  after(() => t.stop());

  const inDays = (days: number) => dayIn(days, now());
  const keyOf = (who: number | UserName) =>
    typeof who === 'number' ? Promise.resolve(board.drivers[who]!.key) : signIns(t)(who);
  async function upload(who: number | UserName): Promise<string> {
    const answer = await fetch(`${t.url}/api/v1/files?purpose=document`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await keyOf(who)}`, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(PDF),
    });
    return ((await answer.json()) as { file: { id: string } }).file.id;
  }
  const readFile = async (who: number | UserName, file: string) =>
    (await fetch(`${t.url}/api/v1/files/${file}`, { headers: { authorization: `Bearer ${await keyOf(who)}` } })).status;
  const at = (driver: number, path = '') => `/drivers/${board.drivers[driver]!.id}/documents${path}`;
  const submit = async (who: number | UserName, driver: number, body: object) =>
    t.api(at(driver), { key: await keyOf(who), body });
  const decide = (driver: number, id: string, decision: string, by: UserName = 'client_admin', more = {}) =>
    board.as(by, at(driver, `/${id}/decision`), { decision, ...more });
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const listed = async (driver: number, who: number | UserName = driver): Promise<any[]> =>
    (await t.api(at(driver), { key: await keyOf(who) })).json.documents;
  /** A valid document: submitted and verified. */
  async function verified(driver: number, kind: string, valid_until?: string): Promise<string> {
    const { json } = await submit(driver, driver, { kind, valid_until });
    expect((await decide(driver, json.document.id, 'verify')).status).to.equal(200);
    return json.document.id as string;
  }
  const claim = (driver: number, route: number) => board.drive(driver, `/route-board/${route}/claim`);

  it('a profile is shown to the driver, the office, and captains of the fleet', async () => {
    const { id, key } = board.drivers[0]!;
    const profile = { languages: ['de', 'tr'], transport: 'van', address: 'Lane 1', licence_no: 'B072' };
    const set = await t.api('/me/driver-info', { key, method: 'PATCH', body: profile });
    expect(set.status, set.text).to.equal(200);
    const { driver_info: driver } = (await board.as('employee', `/drivers/${id}/info`)).json;
    expect(driver).to.deep.include({
      driver_id: id,
      name: 'Driver 0',
      home_region: null,
      birth_date: null,
      ...profile,
    });
    expect((await t.api('/me/driver-info', { key })).json.driver_info).to.deep.equal(driver);
    const other = await t.api(`/drivers/${id}/info`, { key: board.drivers[1]!.key });
    expect(other.status).to.equal(404);
    const captains = { user_ids: [board.drivers[1]!.id] };
    await board.as('client_admin', `/fleets/${board.fleet}/captains`, captains, 'PUT');
    expect((await t.api(`/drivers/${id}/info`, { key: board.drivers[1]!.key })).json.driver_info.address).to.equal(
      'Lane 1',
    );
  });

  it('drivers-and-fleets R13: a document is valid once another person has verified it; both see its files', async () => {
    const file = await upload(0);
    const borrowed = await submit(1, 1, { kind: 'driving_licence', file_ids: [file] });
    expect([borrowed.status, borrowed.json.code]).to.deep.equal([404, 'FILE_NOT_FOUND']);
    expect(await readFile('client_admin', file), 'before it is handed in').to.equal(404);
    const { json } = await submit(0, 0, { kind: 'driving_licence', number: 'B072', file_ids: [file] });
    expect(await readFile('client_admin', file)).to.equal(200);
    expect(await readFile(1, file)).to.equal(404);
    expect((await listed(0))[0]).to.deep.include({ status: 'submitted', number: 'B072', file_ids: [file] });
    const rejected = await decide(0, json.document.id, 'reject', 'client_admin', { reason: 'Unreadable' });
    expect(rejected.status, rejected.text).to.equal(200);
    expect((await listed(0))[0]).to.deep.include({ status: 'rejected', reason: 'Unreadable' });
    expect((await decide(0, json.document.id, 'verify')).json.code).to.equal('DOCUMENT_DECIDED');
    const own = (await submit('employee', 0, { kind: 'driving_licence' })).json.document.id as string;
    const refused = await decide(0, own, 'verify', 'employee');
    expect([refused.status, refused.json.code]).to.deep.equal([403, 'OWN_DOCUMENT']);
    expect((await decide(0, own, 'verify')).status).to.equal(200);
    expect((await decide(0, own, 'verify')).status, 'twice is once').to.equal(200);
  });

  it('drivers-and-fleets R3: a required document that is missing, or expired on the day of the route, excludes a driver', async () => {
    await board.as('client_admin', '/planning-settings', { required_documents: ['van_licence'] }, 'PATCH');
    const route = await board.post(20, 8, 16);
    expect((await claim(2, route)).json.why_not).to.equal('DOCUMENTS_MISSING');
    await verified(2, 'van_licence', '2083-03-19');
    expect((await claim(2, route)).json.why_not, 'over the day before').to.equal('DOCUMENTS_MISSING');
    await verified(2, 'van_licence', '2083-03-20');
    expect((await claim(2, route)).status).to.equal(200);
    const { id, key } = board.drivers[3]!;
    await board.as('client_admin', `/drivers/${id}/rider-grant`, { enabled: true }, 'PUT');
    const online = () => t.api('/instant-rider/online', { key, body: {} });
    expect((await online()).json.code).to.equal('DOCUMENTS_MISSING');
    await verified(3, 'van_licence');
    expect((await online()).status).to.equal(200);
    await board.as('client_admin', '/planning-settings', { required_documents: [] }, 'PATCH');
  });

  it('a skill that requires a document is inactive without it', async () => {
    await board.as('client_admin', '/skills/adr', { needs_document: 'adr_card' }, 'PUT');
    await board.as('client_admin', `/drivers/${board.drivers[1]!.id}/skills`, { skills: [{ code: 'adr' }] }, 'PUT');
    const route = await board.post(21, 8, 16);
    const order = {
      type: 'D',
      delivery: { name: 'Person', street: 'Street 1', city: 'Berlin', postal_code: '10115', country: 'DE' },
      packages: [{ weight_kg: 4 }],
    };
    const { order_id } = (await board.as('client_admin', '/client/orderCreate', order)).json;
    await board.as('client_admin', `/orders/${order_id}`, { planning: { required_skills: ['adr'] } }, 'PATCH');
    await board.as('client_admin', `/routes/${route}/orders`, { order_ids: [order_id] });
    expect((await claim(1, route)).json.why_not).to.equal('SKILLS_MISSING');
    await verified(1, 'adr_card', '2083-03-21');
    expect((await claim(1, route)).status).to.equal(200);
  });

  it('drivers-and-fleets R13: the service notifies 30 and 7 days before expiry, except for a replaced document', async () => {
    const document = await verified(2, 'tail_lift', inDays(40));
    const replaced = await verified(1, 'tail_lift', inDays(40));
    await verified(1, 'tail_lift', inDays(400));
    const expiryEvents = async (driver: number) => {
      const found: [string, number][] = [];
      for await (const { type, data } of t.service.engines.log.read(`driver-${board.drivers[driver]!.id}`))
        if (type === 'DriverDocumentExpiring') found.push([data['document_id'] as string, data['days'] as number]);
      return found;
    };
    const until = async (count: number) => {
      await eventually(async () => (await expiryEvents(2)).length >= count, `${count} of the second driver`);
      expect(await expiryEvents(2)).to.have.length(count);
    };
    clock.ahead += 11 * DAY_MS;
    await until(1);
    clock.ahead += 23 * DAY_MS;
    await until(2);
    expect(await expiryEvents(2)).to.deep.equal([
      [document, 30],
      [document, 7],
    ]);
    expect((await expiryEvents(1)).map(([id]) => id)).not.to.include(replaced);
    clock.ahead += 10 * DAY_MS;
    expect((await listed(2, 'client_admin')).find(({ id }) => id === document).status).to.equal('expired');
  });

  it('drivers-and-fleets 7: of an erased driver profile, numbers and files are unreadable; the documents stay with the id', async () => {
    const { id, key } = board.drivers[0]!;
    const file = await upload('employee');
    expect((await submit('employee', 0, { kind: 'passport', number: 'C01X', file_ids: [file] })).status).to.equal(201);
    await t.api('/me/driver-info', { key, method: 'PATCH', body: { address: 'Lane 1' } });
    const erased = await board.as('client_admin', `/privacy/subjects/account-${id}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    expect(await readFile('employee', file), 'though it is an upload of the office').to.equal(404);
    const { rows } = await t.service.engines.pool.query<{ kind: string }>(
      'select kind from driver_documents.driver_documents where driver_id = $1',
      [id],
    );
    expect(rows.map(({ kind }) => kind)).to.include('passport');
    const everything = JSON.stringify((await board.as('client_admin', `/drivers/${id}/documents`)).json);
    expect(everything).not.to.include('C01X');
    expect(JSON.stringify((await board.as('client_admin', `/drivers/${id}/info`)).json)).not.to.include('Lane 1');
  });

  it('reads the same after a rebuild', () =>
    expectSameReplay(t, ['driver_profiles', 'driver_documents', 'workers', 'timers']));
});
