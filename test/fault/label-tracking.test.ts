/** Processes that end between storing a message, writing its scans, and following them: nothing is lost. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { LABEL_SCANS } from '../../src/areas/wiring/label-scans.js';
import { call } from '../support/clients/http.js';
import { signed } from '../support/easypost/trackers.js';
import { eventually } from '../support/eventually.js';
import {
  addTracked,
  buyLabel,
  JOURNEY,
  stateOf,
  WEBHOOK_SECRET,
  type TrackedAccount,
} from '../support/labels/tracked.js';
import { openLabelWorld, type LabelWorld } from '../support/labels/world.js';
import { BRIEF_LEASES, endServiceProcesses, startServiceProcess } from '../support/processes/service-process.js';

/** A process that holds the lease of the follower, and does nothing. */
const HOLDER = '6c1f3f0a-55a2-4a41-9d8e-7d1f4a9be0c3';

describe('tracking of labels whose processes end', () => {
  let w: LabelWorld;
  let account: TrackedAccount;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transport-tracking-killed-'));
    w = await openLabelWorld(BRIEF_LEASES);
    account = await addTracked(w, 'EZTKkilled');
  });
  after(async () => {
    await endServiceProcesses();
    await w?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const pool = () => w.t.service.engines.pool;
  const open = async () => (await pool().query('select from access.inbox where done_at is null')).rows.length;

  it('a stored message and a written scan take effect in another process', async () => {
    const label = await buyLabel(w, account);
    // No process follows scans.
    await eventually(async () => {
      await pool().query('update projections.checkpoints set owner = $2, lease_until = $3 where name = $1', [
        LABEL_SCANS.name,
        HOLDER,
        new Date(Date.now() + 86_400_000),
      ]);
      const { rows } = await pool().query<{ owner: string }>(
        'select owner from projections.checkpoints where name = $1',
        [LABEL_SCANS.name],
      );
      return rows[0]?.owner === HOLDER;
    }, 'the lease of the follower');
    const receiver = await startServiceProcess({
      dataDir: join(folder, 'receiver'),
      databaseUrl: w.t.databaseUrl,
      env: { ...BRIEF_LEASES, EASYPOST_BASE_URL: w.easypost.url, ROLES: 'api' },
    });
    const event = await w.easypost.scan({ tracking_code: label.number, ...JOURNEY[2]!, sends: false });
    const { body, signature } = signed(event, WEBHOOK_SECRET);
    const { status } = await call(`${receiver.url}/api/v1${account.path}`, {
      body,
      headers: { 'x-hmac-signature': signature },
    });
    await receiver.end('SIGKILL');
    expect(status).to.equal(200);
    // Another process writes the scan.
    await eventually(async () => (await open()) === 0, 'the end of the message');
    await eventually(async () => (await w.t.read(label.number)).text.includes('package_outbound'), 'the scan');
    expect(await stateOf(w, label.order)).to.equal('LABEL_PURCHASED');
    // The follower has ended, and another process takes its lease over.
    await pool().query('update projections.checkpoints set lease_until = now() where name = $1', [LABEL_SCANS.name]);
    await eventually(async () => (await stateOf(w, label.order)) === 'IN_TRANSIT', 'the state of the order');
  });
});
