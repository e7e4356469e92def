/** Return reasons over HTTP: the list of a business, and pick-ups and scans that have one. */
import { expect } from 'chai';
import { LANGUAGES } from '../../../src/events/core/languages.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { png } from '../../support/inputs/pictures.js';
import { stopIn } from '../../support/inputs/shipments.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, signIns, type AsUsers, type UserName } from '../../support/worlds/users.js';

const LABELS = { en: 'Too late', de: 'Zu spät', fr: 'Trop tard', es: 'Tarde', 'zh-Hans': '太晚', 'zh-Hant': '太晚了' };
const PICKUP = { type: 'P', pickup: stopIn('10115') };

describe('return reasons', () => {
  let t: TestService;
  let as: AsUsers;
  let tokenOf: ReturnType<typeof signIns>;
  before(async () => {
    t = await startTestService();
    as = asUsers(t);
    tokenOf = signIns(t);
  });
  after(() => t.stop());

  const set = (code: string, body: object, user: UserName = 'client_admin') =>
    as(user, `/return-reasons/${code}`, body, 'PUT');
  const list = async (query = '', user: UserName = 'employee') =>
    (await as(user, `/return-reasons${query}`)).json.return_reasons as Record<string, unknown>[];
  const codes = async (query = '') => (await list(query)).map(({ code }) => code);
  const photo = async (user: UserName) => {
    const response = await fetch(`${t.url}/api/v1/files?purpose=photo`, {
      method: 'POST',
      body: new Uint8Array(png()),
      headers: { authorization: `Bearer ${await tokenOf(user)}`, 'content-type': 'image/png' },
    });
    const { file } = (await response.json()) as { file: { id: string } };
    return file.id;
  };
  const returned = (more: object, user: UserName = 'customer') => as(user, '/orders', { ...PICKUP, ...more });

  it('are twelve for every business, in the language of the request', async () => {
    expect(await codes())
      .to.have.length(12)
      .and.include.members(['damaged', 'refused_at_door', 'undeliverable']);
    const [first] = await list('?lang=de');
    expect(first).to.deep.include({ code: 'damaged', label: 'Beschädigt', reason_code: 'damaged', status: 'active' });
    expect(first!['labels']).to.have.all.keys(LANGUAGES);
    expect((await list('?lang=fr', 'driver'))[0]).to.include({ label: 'Endommagé' });
  });

  it('are set, replaced and retired by the client admin', async () => {
    const { status, text } = await set('too_late', { labels: LABELS, needs_note: true, sort_order: 5 });
    expect(status, text).to.equal(200);
    expect((await list())[0]).to.include({ code: 'too_late', needs_note: true, sort_order: 5, enabled: true });
    expect((await set('style', { labels: { en: 'Not my style' } })).status).to.equal(200);
    expect((await as('client_admin', '/return-reasons/style/retire', {})).status).to.equal(200);
    expect(await codes()).to.not.include('style');
    expect((await list('?include_retired=true')).find(({ code }) => code === 'style')).to.include({
      label: 'Not my style',
      status: 'retired',
    });
    const again = await set('style', { labels: { en: 'Style' } });
    expect([again.status, again.json.code]).to.deep.equal([409, 'CONFLICT']);
    const unknown = await as('client_admin', '/return-reasons/never_set/retire', {});
    expect([unknown.status, unknown.json.code]).to.deep.equal([404, 'RETURN_REASON_NOT_FOUND']);
    for (const code of ['Upper', '1st', `a${'b'.repeat(40)}`])
      expect((await set(code, { labels: LABELS })).status, code).to.equal(400);
    expect((await set('empty', { labels: {} })).status).to.equal(400);
  });

  it('acceptance 6: a retired reason stays in the responses of old orders in six languages', async () => {
    await set('moved', { labels: LABELS });
    const placed = await returned({ return_reason: 'moved', return_note: 'Gave it to Ada' });
    expect(placed.status, placed.text).to.equal(201);
    await as('client_admin', '/return-reasons/moved/retire', {});
    const refused = await returned({ return_reason: 'moved' });
    expect([refused.status, refused.json.code]).to.deep.equal([422, 'UNKNOWN_RETURN_REASON']);
    const { json } = await as('employee', `/orders/${placed.json.order_id}`);
    expect(json.order.return_details).to.deep.equal({
      return_reason: 'moved',
      labels: LABELS,
      return_note: 'Gave it to Ada',
      return_photo: null,
    });
  });

  it('need the note and the photo that the business asks for', async () => {
    await set('broken', { labels: LABELS, needs_note: true, needs_photo: true });
    await set('paused', { labels: LABELS, enabled: false });
    const missing = async (body: object) => {
      const { status, json } = await returned(body);
      return [status, json.errors?.[0]?.code ?? json.code, json.errors?.[0]?.path];
    };
    expect(await missing({ return_reason: 'broken' })).to.deep.equal([400, 'REQUIRED', '/return_note']);
    const noted = { return_reason: 'broken', return_note: 'In two parts' };
    expect(await missing(noted)).to.deep.equal([400, 'REQUIRED', '/return_photo']);
    expect(await missing({ return_note: 'Only a note' })).to.deep.equal([400, 'REQUIRED', '/return_reason']);
    for (const return_reason of ['unheard_of', 'paused'])
      expect((await missing({ return_reason }))[0], return_reason).to.equal(422);
    const foreign = await photo('employee');
    expect(await missing({ ...noted, return_photo: foreign })).to.deep.equal([404, 'FILE_NOT_FOUND', '/return_photo']);
    expect((await missing({ return_reason: 'damaged', type: 'D', delivery: stopIn('10115') }))[0]).to.equal(400);
    const return_photo = await photo('customer');
    const placed = await returned({ ...noted, return_photo });
    expect(placed.status, placed.text).to.equal(201);
    expect(placed.json.order.return_details).to.include({ return_photo });
    expect((await missing({ ...noted, return_photo }))[0], 'one photo for one order').to.equal(404);
    const download = (user: UserName) => as(user, `/files/${return_photo}`);
    expect((await download('client_admin')).status).to.equal(200);
    expect((await download('driver')).status, 'not on its route').to.equal(404);
  });

  it('are given with scans, and lead to the incident reason on the timeline', async () => {
    const order = { type: 'D', delivery: stopIn('10115') };
    const { order_id, tracking_numbers } = (await as('employee', '/orders', order)).json;
    const [tracking_number] = tracking_numbers as string[];
    const occurred_at = new Date(t.now()).toISOString();
    const scan = (body: object) => as('employee', '/scans', { tracking_number, occurred_at, ...body });
    const wrong = await scan({ status_code: 'delivered', return_reason: 'refused_at_door' });
    expect([wrong.status, wrong.json.errors[0].path]).to.deep.equal([400, '/return_reason']);
    const right = {
      status_code: 'rejected_by_recipient',
      return_reason: 'refused_at_door',
      return_note: 'Shut the door',
    };
    const done = await scan(right);
    expect(done.status, done.text).to.equal(200);
    const { json } = await as('employee', `/orders/${order_id}`);
    expect(json.order).to.include({ status: 'REJECTED' });
    expect(json.order.return_details).to.include({ return_reason: 'refused_at_door', return_note: 'Shut the door' });
    const timeline = await as('employee', `/otep/trackings/${tracking_number!}`);
    expect(timeline.text).to.include('"recipient_refused"').and.not.include('Shut the door');
  });

  it('have the same read models after a replay', () => expectSameReplay(t, ['return_reasons', 'orders']));
});
