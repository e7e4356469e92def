/** Items of the board about jobs that failed or skipped something. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { openTables } from '../../support/worlds/tables.js';
import type { UserName } from '../../support/worlds/users.js';

const COLUMNS = [
  { code: 'name', type: 'text', required: true },
  { code: 'size', type: 'integer' },
];

describe('items of the dispatch board about jobs', () => {
  let t: TestService;
  let tables: ReturnType<typeof openTables>;
  let as: (typeof tables)['as'];
  before(async () => {
    t = await startTestService();
    tables = openTables(t);
    as = tables.as;
  });
  after(() => t.stop());

  /** Runs an import to its end, and returns the id of its job. */
  async function imported(dataset: number, lines: readonly string[], more: object = {}): Promise<string> {
    const file = await tables.upload(['name,size', ...lines].join('\n'));
    const { id } = await tables.bring(dataset, file, { mode: 'insert', ...more });
    const { engines, progress } = t.service;
    expect(await progress.waitFor('job_ends', await engines.log.head(), WAIT_LIMIT_MS)).to.equal(true);
    return id as string;
  }
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const openItems = async (user: UserName = 'employee', query = ''): Promise<any[]> => {
    const { status, json, text } = await as(user, `/dispatch/board?per_page=200&kinds=job_failed${query}`);
    expect(status, text).to.equal(200);
    return json.items;
  };
  const ids = async (...of: Parameters<typeof openItems>) =>
    (await openItems(...of)).map(({ job_id }) => job_id as string);

  it('exist for an import with rejected lines, until it is repeated completely; a dry run creates none', async () => {
    const id = await tables.make(COLUMNS);
    const job = await imported(id, ['Lindenhof,3', 'Bahnhof,many'], { on_error: 'skip' });
    const [item] = await openItems();
    expect(item).to.deep.include({
      id: `job_failed:${job}`,
      job_id: job,
      order_id: null,
      severity: 2,
      title: 'A job failed, or it rejected part of its work.',
      facts: { job: 'dataset_import', state: 'succeeded', rejected: 1, about: `dataset-${id}` },
      choices: ['acknowledge', 'snooze', 'leave', 'contacted'],
    });
    expect(await ids('broker'), 'not theirs').to.deep.equal([]);
    expect(await ids('other_client_admin'), 'of another business').to.deep.equal([]);
    expect(await ids('employee', '&schedule_date=2026-01-01'), 'of another day').to.deep.equal([]);
    for (const user of ['broker', 'other_client_admin'] as const)
      expect((await as(user, `/dispatch/items/${item.id}`)).status, user).to.equal(404);
    await imported(id, ['Bahnhof,9'], { dry_run: true });
    await imported(await tables.make(COLUMNS), ['Bahnhof,9']);
    expect(await ids(), 'neither a rehearsal nor another dataset').to.deep.equal([job]);
    await imported(id, ['Bahnhof,9']);
    expect(await ids()).to.deep.equal([]);
    const gone = await as('employee', `/dispatch/items/${item.id}`);
    expect([gone.status, gone.json.code, gone.json.solved_by.type]).to.deep.equal([404, 'ITEM_GONE', 'JobFinished']);
  });

  it('accept decisions like others: taken, noted, reopened; without an operation', async () => {
    const job = await imported(await tables.make(COLUMNS), ['Nordhof,x'], { on_error: 'skip' });
    const [item] = await openItems();
    const path = `/dispatch/items/job_failed:${job}`;
    const decide = (decision: string, more: object = {}) =>
      as('employee', `${path}/decisions`, { version: item.version, decision, ...more });
    expect((await as('employee', `${path}/take`, {})).status).to.equal(200);
    expect((await as('client_admin', `${path}/take`, {})).json.code).to.equal('ITEM_TAKEN');
    expect((await decide('cancel')).status).to.equal(400);
    expect((await decide('leave', { note: 'The sender corrects the list', version: '00000000' })).json.code).to.equal(
      'ITEM_CHANGED',
    );
    const response = await decide('leave', { note: 'The sender corrects the list' });
    expect(response.json, response.text).to.include({ result: true, status: 'decided' });
    expect(await ids()).to.deep.equal([]);
    const { decisions } = (await as('auditor', '/dispatch/decisions')).json;
    expect(decisions[0]).to.include({ item_id: `job_failed:${job}`, subject: `job-${job}`, decision: 'leave' });
    expect((await as('employee', `${path}/reopen`, {})).status).to.equal(200);
    expect(await ids()).to.deep.equal([job]);
    for (const odd of ['job_failed:7', `unplanned:${job}`, `job_failed:${job.slice(1)}0`])
      expect((await as('employee', `/dispatch/items/${odd}`)).status, odd).to.equal(404);
  });

  it('read the same after a rebuild', async () => {
    const before = await openItems();
    expect(before).to.have.length(1);
    await expectSameReplay(t, ['job_ends', 'dispatch_decisions']);
    expect(await openItems()).to.deep.equal(before);
  });
});
