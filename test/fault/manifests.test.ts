/** Ends of day whose process is killed: each label is on one form of the carrier, and none is lost. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { call } from '../support/clients/http.js';
import { atDepth } from '../support/depth.js';
import type { FaultName, Operation } from '../support/easypost/faults.js';
import { eventually } from '../support/eventually.js';
import { endsOfDay } from '../support/labels/ends-of-day.js';
import { openLabelWorld, shipmentOf, type LabelWorld } from '../support/labels/world.js';
import {
  BRIEF_LEASES,
  endServiceProcesses,
  startServiceProcess,
  type ServiceProcess,
} from '../support/processes/service-process.js';
import { signIns } from '../support/worlds/users.js';

const ROUNDS = atDepth(20, 1);
/** Labels of a round. */
const LABELS = 6;
/** The fault at the carrier, which is also the moment of the kill. `read` is between the joining and the form. */
const MOMENTS: readonly (readonly [FaultName, Operation])[] = [
  ['kill_before', 'read'],
  ['kill_before', 'scan_form'],
  ['kill_after', 'scan_form'],
  ['kill_responded', 'scan_form'],
];
/** Delays after the beginning of the request, in milliseconds: the labels are joining, or the carrier is asked. */
const DELAYS = atDepth(10, 2);

describe('ends of day whose process is killed', () => {
  let w: LabelWorld;
  let folder: string;
  let signIn: ReturnType<typeof signIns>;
  let worker: ServiceProcess | undefined;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transport-manifests-killed-'));
    // This process also continues manifests and effects.
    w = await openLabelWorld(BRIEF_LEASES);
    signIn = signIns(w.t);
  });
  after(async () => {
    await endServiceProcesses();
    await w?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const { orderOf } = endsOfDay(() => w);
  const labelOrders = async () =>
    (await w.as('employee', '/label-orders?per_page=200')).json.label_orders as readonly {
      readonly id: number;
      readonly status: string;
    }[];

  /** New orders with labels. With short leases, a slow response is an error, although the service buys the label. */
  async function boughtLabels(): Promise<readonly number[]> {
    const before = new Set((await labelOrders()).map(({ id }) => id));
    for (let n = 0; n < LABELS; n++)
      await w.as('employee', '/label-orders', { ...shipmentOf(), method_id: w.outside.method });
    return eventually(async () => {
      const added = (await labelOrders()).filter(({ id }) => !before.has(id));
      const isReady = added.length > 0 && added.every(({ status }) => status === 'LABEL_PURCHASED');
      return isReady && added.map(({ id }) => id);
    }, 'the labels are bought');
  }
  const isAlive = ({ child }: ServiceProcess): boolean => child.exitCode === null && child.signalCode === null;

  /** The worker, which is started again if it was killed. */
  async function alive(): Promise<ServiceProcess> {
    if (worker && isAlive(worker)) return worker;
    worker = await startServiceProcess({
      dataDir: join(folder, 'data'),
      databaseUrl: w.t.databaseUrl,
      env: { ...BRIEF_LEASES, EASYPOST_BASE_URL: w.easypost.url },
    });
    // Each round listens for its end.
    worker.child.setMaxListeners(0);
    return worker;
  }

  async function expectOnOneForm(ids: readonly number[]): Promise<void> {
    await eventually(
      async () => (await Promise.all(ids.map(orderOf))).every(({ status }) => status === 'SUBMITTED'),
      'all orders are submitted',
    );
    const orders = await Promise.all(ids.map(orderOf));
    const numbers = new Set(orders.flatMap(({ tracking_numbers: found }) => found as string[]));
    const { scan_forms: forms } = await w.easypost.state();
    const onForms = forms.flatMap(({ tracking_codes: codes }) => codes).filter((code) => numbers.has(code));
    expect(onForms)
      .to.have.members([...numbers])
      .and.to.have.length(numbers.size);
    for (const { manifest_id } of orders) {
      const { manifest } = (await w.as('employee', `/manifests/${manifest_id}`)).json;
      expect(manifest.status).to.equal('closed');
    }
    const { manifests } = (await w.as('employee', '/manifests?per_page=200')).json;
    const inManifests = manifests.flatMap(({ order_ids }: { order_ids: number[] }) => order_ids) as number[];
    expect(inManifests.filter((id) => ids.includes(id))).to.have.length(ids.length);
  }

  it(`killed ${ROUNDS} times at ${MOMENTS.length} moments: each label is on one form`, async () => {
    const key = await signIn('employee');
    for (let round = 0; round < ROUNDS; round++)
      for (const [fault, operation] of MOMENTS) {
        const ids = await boughtLabels();
        const first = await alive();
        await w.easypost.victim(first.child.pid!);
        await w.easypost.fail(operation, fault);
        const killed = new Promise((resolve) => first.child.once('exit', resolve));
        const request = call(`${first.url}/api/v1/label-orders/end-day`, { key, body: {} }).catch(() => undefined);
        await killed;
        await request;
        await expectOnOneForm(ids);
      }
  });

  it(`killed after ${DELAYS} delays, while labels join: each label is on one form`, async () => {
    const key = await signIn('employee');
    for (let round = 0; round < DELAYS; round++) {
      const ids = await boughtLabels();
      const first = await alive();
      const killed = new Promise((resolve) => first.child.once('exit', resolve));
      const request = call(`${first.url}/api/v1/label-orders/end-day`, { key, body: {} }).catch(() => undefined);
      await eventually(
        async () =>
          (await w.as('employee', '/manifests?status=opening,submitting,closed')).json.manifests.some(
            ({ order_ids, status }: { order_ids: number[]; status: string }) =>
              status === 'opening' || order_ids.includes(ids[0]!),
          ),
        'the manifest is opened',
      );
      await sleep(round * 20);
      first.child.kill('SIGKILL');
      await killed;
      await request;
      await expectOnOneForm(ids);
    }
  });
});
