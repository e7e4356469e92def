import { expect } from 'chai';
import { FEDEX_STATUSES } from '../../../src/compose/demo/fedex-statuses.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('a provider’s table of raw statuses', () => {
  let t: TestService;
  let key: string;
  before(async () => {
    t = await startTestService();
    key = await t.addProvider('mapped');
  });
  after(() => t.stop());

  const set = (mapping: unknown, options = {}) =>
    t.api('/provider/status-mapping', { method: 'PUT', key, body: { mapping }, ...options });
  const raw = (code: string, hours: number, more = {}) => {
    const { status_code: _none, ...rest } = event('', hours, more);
    return { ...rest, raw: { code } };
  };
  const push = (number: string, ...events: unknown[]) => t.push(timelineOf(number, events), { key });
  /** The warning or error of the first event, else its outcome. */
  const outcome = ({ json: { events } }: Awaited<ReturnType<typeof push>>) =>
    (events[0].warnings ?? events[0].errors)?.[0].code ?? events[0].outcome;

  it('is seeded with a real carrier’s codes', async () => {
    const { json } = await t.api('/provider/status-mapping', { key: t.demo.provider.key });
    expect(json.mapping).to.deep.equal(FEDEX_STATUSES);
    const number = newNumber();
    const pushed = await t.push(timelineOf(number, [raw('OD', 1), raw('DL', 2)]));
    expect(
      (await t.read(number, pushed)).json.events.map((one: { status_code: string; raw: object }) => [
        one.status_code,
        one.raw,
      ]),
    ).to.deep.equal([
      ['out_for_delivery', { code: 'OD' }],
      ['delivered', { code: 'DL' }],
    ]);
  });

  it('gives a status to events with only a raw code; an explicit status has priority', async () => {
    await set([
      { raw: 'A1', status_code: 'received' },
      { raw: 'A2', status_code: 'x-weighed', note: 'on the belt' },
    ]);
    const number = newNumber();
    const pushed = await push(number, raw('A1', 1), raw('A2', 2), { ...raw('A1', 3), status_code: 'in_transit' });
    expect(
      (await t.read(number, pushed)).json.events.map((one: { status_code: string }) => one.status_code),
    ).to.deep.equal(['received', 'x-weighed', 'in_transit']);
  });

  it('compares raw codes without case and blanks around them (field-tracking F10)', async () => {
    await set([{ raw: 'Out ', status_code: 'out_for_delivery' }]);
    const number = newNumber();
    const pushed = await push(number, raw('out', 1), raw(' OUT\t', 2), raw('Out ', 3));
    const { json } = await t.read(number, pushed);
    expect(json.events.map((one: { raw: { code: string } }) => one.raw.code)).to.deep.equal(['out', ' OUT\t', 'Out ']);
    expect(json.current_status).to.equal('out_for_delivery');
    const twice = await set([
      { raw: 'A1', status_code: 'received' },
      { raw: ' a1', status_code: 'in_transit' },
    ]);
    expect([twice.status, twice.json.errors[0].code]).to.deep.equal([400, 'NOT_UNIQUE']);
  });

  it('accepts the long form of a status code, as events do (formats F14)', async () => {
    const { status, json } = await set([{ raw: 'A1', status_code: 'otep:parcel:in_transit' }]);
    expect([status, json.mapping]).to.deep.equal([200, [{ raw: 'A1', status_code: 'in_transit' }]]);
    const number = newNumber();
    const pushed = await push(number, raw('A1', 1));
    expect((await t.read(number, pushed)).json.current_status).to.equal('in_transit');
    const refused = await set([{ raw: 'A1', status_code: 'otep:moving:in_transit' }]);
    expect([refused.status, refused.json.errors[0].code]).to.deep.equal([400, 'UNKNOWN_STATUS']);
  });

  it('reports an event with an unknown raw code', async () => {
    await set([{ raw: 'A1', status_code: 'received' }]);
    for (const code of ['A9', 'A1-', '__proto__', 'constructor'])
      expect(outcome(await push(newNumber(), raw(code, 1))), code).to.equal('UNMAPPED_STATUS');
    expect(outcome(await push(newNumber(), { ...raw('', 1), raw: { text: 'A1' } }))).to.equal('UNMAPPED_STATUS');
  });

  it('may change: recorded events keep their status, and the same push is still a duplicate', async () => {
    const number = newNumber();
    const [own, derived] = [raw('B1', 1, { event_id: 'urn:example:mapped' }), raw('B1', 2)];
    await set([{ raw: 'B1', status_code: 'received' }]);
    expect((await push(number, own, derived)).json).to.include({ accepted: 2 });
    await set([{ raw: 'B1', status_code: 'arrival_scan' }]);
    const again = await push(number, own, derived);
    expect(again.json).to.include({ duplicates: 2, rejected: 0 });
    const last = await push(number, raw('B1', 3));
    expect(
      (await t.read(number, last)).json.events.map((one: { status_code: string }) => one.status_code),
    ).to.deep.equal(['received', 'received', 'arrival_scan']);
    await set([]);
    expect((await push(number, derived)).json.events[0].outcome, 'known since it had a row').to.equal('duplicate');
  });

  it('is visible only to the provider', async () => {
    await set([{ raw: 'C1', status_code: 'received' }]);
    expect(outcome(await t.push(timelineOf(newNumber(), [raw('C1', 1)])))).to.equal('UNMAPPED_STATUS');
    expect((await t.api('/provider/status-mapping')).status).to.equal(401);
    expect((await t.api('/provider/status-mapping', { method: 'PUT', body: { mapping: [] } })).status).to.equal(401);
  });

  it('is rejected as a whole for one invalid row, with the row', async () => {
    await set([{ raw: 'D1', status_code: 'received' }]);
    const cases: [mapping: unknown, path: string][] = [
      [[{ raw: 'D2', status_code: 'lost' }], '/mapping/0/status_code'],
      [
        [
          { raw: 'D2', status_code: 'received' },
          { raw: 'D2', status_code: 'delivered' },
        ],
        '/mapping/1/raw',
      ],
      [[{ raw: '', status_code: 'received' }], '/mapping/0/raw'],
      [[{ raw: 'D2' }], '/mapping/0/status_code'],
      [[{ raw: 1, status_code: 'received' }], '/mapping/0/raw'],
      [[{ raw: 'D2', status_code: 'received', note: 'x'.repeat(201) }], '/mapping/0/note'],
      [Array.from({ length: 1_001 }, (_, index) => ({ raw: `D${index}`, status_code: 'received' })), '/mapping'],
      [{}, '/mapping'],
      ['x', '/mapping'],
      [undefined, '/mapping'],
    ];
    for (const [mapping, path] of cases) {
      const { status, json } = await set(mapping);
      expect([status, json.code, json.errors[0].path], path).to.deep.equal([400, 'INVALID_INPUT', path]);
    }
    expect((await t.api('/provider/status-mapping', { key })).json.mapping).to.deep.equal([
      { raw: 'D1', status_code: 'received' },
    ]);
  });

  it('accepts an Idempotency-Key: a late retry does not restore the old table', async () => {
    const headers = { 'idempotency-key': 'table-1' };
    const [old, fresh] = [[{ raw: 'E1', status_code: 'received' }], [{ raw: 'E2', status_code: 'received' }]];
    const first = await set(old, { headers });
    await set(fresh);
    const retry = await set(old, { headers });
    expect([retry.status, retry.text, retry.headers.get('x-event-position')]).to.deep.equal([
      200,
      first.text,
      first.headers.get('x-event-position'),
    ]);
    expect((await t.api('/provider/status-mapping', { key })).json.mapping).to.deep.equal(fresh);
  });
});
