/** Datasets over real HTTP: columns that preserve their values, records with versions, unique keys. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, signIns, type AsUsers } from '../../support/worlds/users.js';

describe('datasets', () => {
  let t: TestService;
  let keyOf: ReturnType<typeof signIns>;
  let as: AsUsers;
  before(async () => {
    t = await startTestService();
    keyOf = signIns(t);
    as = asUsers(t);
  });
  after(() => t.stop());

  let count = 0;
  async function make(columns: readonly object[], more: object = {}): Promise<number> {
    const body = { code: `list_${(count += 1)}`, name: 'A list', columns, ...more };
    const { status, json, text } = await as('employee', '/datasets', body);
    expect(status, text).to.equal(201);
    return json.dataset.id as number;
  }
  const put = (id: number, ...records: object[]) =>
    as(
      'employee',
      `/datasets/${id}/records/batch`,
      { records: records.map((one) => ('values' in one ? one : { values: one })) },
      'POST',
    );
  const NAME = { code: 'name', type: 'text', required: true };

  it('are created with columns, listed with counts, renamed, archived; a code is unique', async () => {
    const id = await make([NAME, { code: 'mail', type: 'email' }], { code: 'people', key_column: 'name' });
    await put(id, { name: 'Ada', mail: 'ada@example.com' });
    const { dataset } = (await as('auditor', `/datasets/${id}`)).json;
    expect(dataset).to.containSubset({
      id,
      code: 'people',
      kind: 'table',
      key_column: 'name',
      record_count: 1,
      columns: [
        { code: 'name', name: 'name', type: 'text', required: true, personal: false, hidden: false },
        { code: 'mail', personal: true },
      ],
    });
    expect((await as('employee', '/datasets', { code: 'people', name: 'x', columns: [NAME] })).json.code).to.equal(
      'DATASET_CODE_TAKEN',
    );
    await as('employee', `/datasets/${id}`, { name: 'Folk' }, 'PATCH');
    expect((await as('auditor', '/datasets')).json.datasets.at(-1)).to.include({ name: 'Folk', record_count: 1 });
    expect((await as('employee', `/datasets/${id}`, undefined, 'DELETE')).status).to.equal(200);
    for (const path of ['', '/groups', '/records/1'])
      expect((await as('employee', `/datasets/${id}${path}`)).json.code, path).to.equal('DATASET_NOT_FOUND');
    expect((await put(id, { name: 'Bob' })).status).to.equal(404);
  });

  it('keep the types of columns, which can only be hidden', async () => {
    const id = await make([NAME, { code: 'size', type: 'integer' }], { key_column: 'name' });
    await put(id, { name: 'A', size: 3 });
    const change = (columns: object[]) => as('employee', `/datasets/${id}`, { columns }, 'PATCH');
    for (const columns of [
      [NAME],
      [NAME, { code: 'size', type: 'text' }],
      [NAME, { code: 'size', type: 'integer', personal: true }],
      [
        { ...NAME, hidden: true },
        { code: 'size', type: 'integer' },
      ],
      [
        { ...NAME, required: false },
        { code: 'size', type: 'integer' },
      ],
    ])
      expect((await change(columns)).json.code, JSON.stringify(columns)).to.equal('COLUMN_FIXED');
    await change([{ code: 'size', type: 'integer', hidden: true }, NAME, { code: 'new', type: 'boolean' }]);
    const { records } = (await as('employee', `/datasets/${id}/search`, {})).json;
    expect(records[0].values).to.deep.equal({ name: 'A' });
    expect((await put(id, { name: 'B', size: 1 })).json.errors[0]).to.include({ code: 'UNKNOWN_FIELD' });
    for (const body of [
      { columns: [NAME, NAME] },
      { columns: [{ code: 's', type: 'select' }] },
      { columns: [{ code: 't', type: 'text', options: ['a'] }] },
      { columns: [{ code: 't', type: 'text' }], key_column: 't' },
      { columns: [{ ...NAME, personal: true }], key_column: 'name' },
      { columns: [NAME], key_column: 'other' },
      { columns: [] },
    ])
      expect((await as('employee', '/datasets', { code: 'bad', name: 'x', ...body })).status).to.equal(400);
  });

  it('keep values of a hidden column through puts without it, also personal ones', async () => {
    const columns = (hidden: boolean) => [
      NAME,
      { code: 'size', type: 'integer', hidden },
      { code: 'mail', type: 'email', hidden },
    ];
    const id = await make(columns(false), { key_column: 'name' });
    const whole = { name: 'A', size: 3, mail: 'ada@example.com' };
    const { record_id } = (await put(id, whole)).json.results[0];
    const path = `/datasets/${id}/records/${record_id}`;
    await as('employee', `/datasets/${id}`, { columns: [...columns(true), { code: 'new', type: 'text' }] }, 'PATCH');
    expect((await put(id, { name: 'A', new: 'x' })).json.results[0].outcome).to.equal('updated');
    expect((await as('employee', path, { values: { name: 'A', new: 'x' } }, 'PUT')).json.outcome).to.equal('unchanged');
    expect((await as('employee', path, { values: { name: 'A' } }, 'PUT')).json.outcome).to.equal('updated');
    expect((await as('employee', path)).json.record.values).to.deep.equal({ name: 'A' });
    await as('employee', `/datasets/${id}`, { columns: [...columns(false), { code: 'new', type: 'text' }] }, 'PATCH');
    expect((await as('employee', path)).json.record.values).to.deep.equal(whole);
  });

  it('are unchanged by equal personal values, and changed by others; erased persons stay erased', async () => {
    const id = await make([NAME, { code: 'mail', type: 'email' }], { key_column: 'name' });
    const outcomes = async (...mails: string[]) => {
      const { json } = await put(id, ...mails.map((mail) => ({ name: 'A', mail })));
      return json.results.map(({ outcome }: { outcome: string }) => outcome);
    };
    expect(await outcomes('a@example.com')).to.deep.equal(['inserted']);
    expect(await outcomes('a@example.com')).to.deep.equal(['unchanged']);
    // The second put meets a version whose values have not been compared yet.
    expect(await outcomes('b@example.com', 'b@example.com')).to.deep.equal(['updated', 'unchanged']);
    const [record] = (await as('employee', `/datasets/${id}/search`, {})).json.records;
    const { rows } = await t.service.engines.pool.query<{ uuid: string }>(
      'select uuid from records.records where id = $1',
      [record.id],
    );
    expect(record).to.deep.include({ version: 2, values: { name: 'A', mail: 'b@example.com' } });
    await as('client_admin', `/privacy/subjects/record-${rows[0]!.uuid}/erase`, {});
    expect(await outcomes('b@example.com')).to.deep.equal(['unchanged']);
  });

  it('accept values unchanged, in the one form of their type, and reject all others', async () => {
    const id = await make([
      { code: 'text', type: 'text', max: 5 },
      { code: 'number', type: 'number', min: 0 },
      { code: 'integer', type: 'integer' },
      { code: 'money', type: 'money' },
      { code: 'boolean', type: 'boolean' },
      { code: 'date', type: 'date' },
      { code: 'time', type: 'time' },
      { code: 'datetime', type: 'datetime' },
      { code: 'select', type: 'select', options: ['a', 'b'] },
      { code: 'multi', type: 'multi_select', options: ['a', 'b'] },
      { code: 'email', type: 'email' },
      { code: 'phone', type: 'phone' },
      { code: 'url', type: 'url' },
      { code: 'address', type: 'address' },
      { code: 'point', type: 'point' },
      { code: 'polygon', type: 'polygon' },
      { code: 'tracking', type: 'tracking_number' },
    ]);
    const good = {
      text: '01067',
      number: 1.5,
      integer: -3,
      money: { amount: '12.30', currency: 'EUR' },
      boolean: false,
      date: '2026-02-28',
      time: '23:59',
      datetime: '2026-02-28T10:00:00+02:00',
      select: 'b',
      multi: ['a', 'b'],
      email: 'ada@example.com',
      phone: '+493012345678',
      url: 'https://example.com/x',
      address: { street: 'Weg 1', country: 'DE' },
      point: { latitude: 52.5, longitude: 13.4 },
      polygon: [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
      tracking: 'ab 12-34',
    };
    const { json, text } = await put(id, good);
    expect(json.results?.[0].outcome, text).to.equal('inserted');
    const { record } = (await as('auditor', `/datasets/${id}/records/${json.results[0].record_id}`)).json;
    expect(record.values).to.deep.equal({ ...good, datetime: '2026-02-28T08:00:00.000Z', tracking: 'AB1234' });
    for (const [column, ...values] of [
      ['text', 1067, '123456', ''],
      ['number', '1', -1],
      ['integer', 1.5],
      ['money', 12.3, { amount: 12.3, currency: 'EUR' }, { amount: '1,5', currency: 'EUR' }],
      ['boolean', 'true'],
      ['date', '2026-02-29', '28.02.2026'],
      ['time', '24:00'],
      ['datetime', '2026-02-28T10:00:00'],
      ['select', 'c'],
      ['multi', ['a', 'a'], []],
      ['email', 'ada'],
      ['phone', '030 123', '+1111111111', '+4930'],
      ['url', 'javascript:alert(1)'],
      ['address', { road: 'x' }],
      ['point', { latitude: 91, longitude: 0 }],
      [
        'polygon',
        [
          [0, 0],
          [2, 2],
          [2, 0],
          [0, 2],
          [0, 0],
        ],
        [
          [0, 0],
          [1, 0],
          [1, 1],
        ],
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [2, 2],
        ],
        [
          [0, 0],
          [2, 0],
          [1, 0],
          [0, 0],
        ],
      ],
      ['tracking', '!'],
      ['nothing', 1],
    ] as const)
      for (const value of values) {
        const refused = await put(id, { text: 'ok' }, { [column]: value });
        expect(refused.status, `${column} ${JSON.stringify(value)}`).to.equal(400);
        expect(refused.json.errors[0].path).to.contain(`/records/1/values/${column}`);
      }
    expect((await put(id, { text: 'x'.repeat(70_000) })).json.errors[0].code).to.equal('TOO_LONG');
    expect((await as('employee', `/datasets/${id}`)).json.dataset.record_count).to.equal(1);
  });

  it('accept only texts that match the whole pattern of their column, also with expensive patterns', async () => {
    const column = (pattern: string, more: object = {}) => ({ code: 'text', type: 'text', pattern, ...more });
    const id = await make([column('[A-Z]{2}\\d{4}|x+'), { code: 'slow', type: 'text', pattern: '(a|aa|a*)*b' }]);
    const codeOf = async (values: object) => (await put(id, values)).json.errors?.[0].code;
    for (const text of ['AB1234', 'xxx']) expect(await codeOf({ text }), text).to.equal(undefined);
    for (const text of ['AB12345', 'yAB1234', 'ab1234']) expect(await codeOf({ text }), text).to.equal('INVALID_FORM');
    expect(await codeOf({ slow: 'a'.repeat(200) })).to.equal('INVALID_FORM');
    expect(await codeOf({ text: 'x'.repeat(201) })).to.equal('TOO_LONG');
    expect((await as('auditor', `/datasets/${id}`)).json.dataset.columns[0].pattern).to.equal('[A-Z]{2}\\d{4}|x+');
    const one = { filters: [{ column: 'text', op: 'eq', value: 'ab1234' }] };
    expect((await as('employee', `/datasets/${id}/search`, one)).json.total).to.equal(0);
    for (const bad of [column('('), column('(?=a)a'), column('(a{50}){20}'), column('a', { type: 'integer' })])
      expect(
        (await as('employee', '/datasets', { code: 'bad', name: 'x', columns: [bad] })).json.errors[0],
        JSON.stringify(bad),
      ).to.include({ path: '/columns/0/pattern', code: 'INVALID_FORM' });
  });

  it('have one record per key, with all its versions', async () => {
    const id = await make([NAME, { code: 'note', type: 'text' }], { key_column: 'name' });
    const first = (await put(id, { name: 'K', note: '1' })).json.results[0];
    const [a, b] = await Promise.all([put(id, { name: 'K', note: '2' }), put(id, { name: 'K', note: '3' })]);
    expect([a.json.results[0].version, b.json.results[0].version].sort()).to.deep.equal([2, 3]);
    expect((await put(id, { name: 'K', note: '3' })).json.results[0].record_id).to.equal(first.record_id);
    const path = `/datasets/${id}/records/${first.record_id}`;
    const now = (await as('employee', path)).json.record;
    expect((await put(id, now)).json.code).to.equal('INVALID_INPUT');
    expect((await put(id, { values: now.values })).json.results[0].outcome).to.equal('unchanged');
    expect((await as('employee', path, { values: { name: 'L' } }, 'PUT')).json.code).to.equal('KEY_FIXED');
    expect((await put(id, { values: { name: 'K' }, if_version: 0 })).json.results[0]).to.include({
      result: false,
      code: 'RECORD_CHANGED',
    });
    const both = await Promise.all(
      ['x', 'y'].map((note) => as('employee', path, { values: { name: 'K', note }, if_version: now.version }, 'PUT')),
    );
    expect(both.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    expect((await as('employee', `${path}?if_version=1`, undefined, 'DELETE')).status).to.equal(409);
    expect((await as('employee', path, undefined, 'DELETE')).json).to.deep.equal({ result: true });
    expect((await as('employee', path)).json.code).to.equal('RECORD_NOT_FOUND');
    expect((await as('employee', path, { values: { name: 'K' } }, 'PUT')).json.code).to.equal('RECORD_NOT_FOUND');
    const again = (await put(id, { name: 'K', note: 'back' })).json.results[0];
    expect(again).to.include({ record_id: first.record_id, outcome: 'inserted' });
    const { versions } = (await as('auditor', `${path}/history`)).json;
    expect(versions.map(({ version }: { version: number }) => version)).to.deep.equal(
      versions.map((_: unknown, index: number) => versions.length - index),
    );
    expect(versions.slice(0, 2)).to.containSubset([
      { removed: false, values: { name: 'K', note: 'back' }, changed_by: t.demo.users.employee.id },
      { removed: true, values: {} },
    ]);
    expect(versions.at(-1).values).to.deep.equal({ name: 'K', note: '1' });
  });

  it('places 3: two concurrent puts with the same if_version: one 200, one 409 with the values of the winner', async () => {
    const id = await make([NAME, { code: 'note', type: 'text' }, { code: 'owner', type: 'text', personal: true }]);
    const { record_id } = (await put(id, { name: 'K' })).json.results[0];
    const path = `/datasets/${id}/records/${record_id}`;
    for (let version = 1; version <= 5; version++) {
      const both = await Promise.all(
        ['x', 'y'].map(async (note) => {
          const values = { name: 'K', note: `${note}${version}`, owner: `Owner ${note}` };
          const user = note === 'x' ? 'employee' : 'client_admin';
          return { values, answer: await as(user, path, { values, if_version: version }, 'PUT') };
        }),
      );
      const [won, lost] = both.sort((a, b) => a.answer.status - b.answer.status);
      expect([won!.answer.status, lost!.answer.status]).to.deep.equal([200, 409]);
      expect(lost!.answer.json).to.deep.include({
        code: 'RECORD_CHANGED',
        current: { version: version + 1, values: won!.values },
      });
      expect((await as('employee', path)).json.record.values).to.deep.equal(won!.values);
    }
  });

  it('count a request once, and put records without a key as new ones each time', async () => {
    const id = await make([NAME]);
    const body = { records: [{ values: { name: 'A' } }, { values: { name: 'A' } }] };
    const send = async (key?: string) =>
      t.api(`/datasets/${id}/records/batch`, {
        key: await keyOf('employee'),
        body,
        method: 'POST',
        ...(key && { headers: { 'idempotency-key': key } }),
      });
    const [one, two] = [await send('once'), await send('once')];
    expect(two.json).to.deep.equal(one.json);
    await send();
    expect((await as('employee', `/datasets/${id}`)).json.dataset.record_count).to.equal(4);
  });

  it('have nested groups, which can be removed when empty', async () => {
    const id = await make([NAME]);
    const groups = `/datasets/${id}/groups`;
    for (const group of [
      { id: 'de', name: 'Germany' },
      { id: 'north', name: 'North', parent: 'de' },
    ])
      expect((await as('employee', groups, group)).status).to.equal(201);
    expect((await as('employee', groups, { id: 'de', name: 'Germany' })).status).to.equal(201);
    expect((await as('employee', groups, { id: 'de', name: 'Other' })).json.code).to.equal('GROUP_TAKEN');
    expect((await as('employee', groups, { id: 'x', name: 'X', parent: 'y' })).json.code).to.equal('GROUP_NOT_FOUND');
    await as('employee', `${groups}/north`, { name: 'The North' }, 'PATCH');
    expect((await put(id, { values: { name: 'A' }, group_id: 'nowhere' })).json.code).to.equal('GROUP_NOT_FOUND');
    const [{ record_id }] = (await put(id, { values: { name: 'A' }, group_id: 'north' }, { name: 'B' })).json.results;
    expect((await as('auditor', groups)).json.groups).to.deep.equal([
      { id: 'de', name: 'Germany', parent: null, record_count: 0 },
      { id: 'north', name: 'The North', parent: 'de', record_count: 1 },
    ]);
    const inside = (await as('employee', `/datasets/${id}/search`, { groups: ['de'] })).json.records;
    expect(inside).to.have.length(1);
    for (const group of ['de', 'north'])
      expect((await as('employee', `${groups}/${group}`, undefined, 'DELETE')).json.code).to.equal('GROUP_IN_USE');
    await as('employee', `/datasets/${id}/records/${record_id}`, undefined, 'DELETE');
    for (const group of ['north', 'de'])
      expect((await as('employee', `${groups}/${group}`, undefined, 'DELETE')).status).to.equal(200);
  });

  it('read the same after a rebuild', () => expectSameReplay(t, ['datasets', 'records']));
});
