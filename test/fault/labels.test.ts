/** Label orders whose process is killed during the purchase: each label is bought once, and none is lost. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { labelStream } from '../../src/events/labels/events.js';
import { call } from '../support/clients/http.js';
import { atDepth } from '../support/depth.js';
import { faultText, type FaultName, type Operation } from '../support/easypost/faults.js';
import { eventually } from '../support/eventually.js';
import { openLabelWorld, RECIPIENT, shipmentOf, type LabelWorld } from '../support/labels/world.js';
import {
  BRIEF_LEASES,
  endServiceProcesses,
  startServiceProcess,
  type ServiceProcess,
} from '../support/processes/service-process.js';
import { signIns } from '../support/worlds/users.js';

const ROUNDS = atDepth(50, 1);
/** What happens at the carrier, and the moment of the kill. `read` is between the reservation and the purchase. */
const MOMENTS: readonly (readonly [FaultName, Operation])[] = [
  ['kill_before', 'create'],
  ['kill_after', 'create'],
  ['kill_before', 'read'],
  ['kill_before', 'buy'],
  ['kill_after', 'buy'],
  ['kill_responded', 'buy'],
];

describe('label orders whose process is killed', () => {
  let w: LabelWorld;
  let folder: string;
  let signIn: ReturnType<typeof signIns>;
  const workers: (ServiceProcess | undefined)[] = [undefined, undefined];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transport-labels-killed-'));
    // This process also continues effects, so three processes compete.
    w = await openLabelWorld(BRIEF_LEASES);
    signIn = signIns(w.t);
  });
  after(async () => {
    await endServiceProcesses();
    await w?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The worker, which is started again if it was killed. */
  async function alive(index: number): Promise<ServiceProcess> {
    const known = workers[index];
    if (known && known.child.exitCode === null && known.child.signalCode === null) return known;
    const started = await startServiceProcess({
      dataDir: join(folder, `data-${index}`),
      databaseUrl: w.t.databaseUrl,
      env: { ...BRIEF_LEASES, EASYPOST_BASE_URL: w.easypost.url },
    });
    // Each round listens for its end.
    started.child.setMaxListeners(0);
    return (workers[index] = started);
  }

  const typesOf = async (orderId: number) => {
    const stream = labelStream(orderId);
    return (await w.t.service.engines.log.readMany([stream])).get(stream)?.map(({ type }) => type) ?? [];
  };
  interface Listed {
    readonly id: number;
    readonly status: string;
  }
  /** All orders, from all pages. */
  async function orders(): Promise<readonly Listed[]> {
    const found: Listed[] = [];
    for (let page = 1; ; page++) {
      const { label_orders: rows, total } = (await w.as('employee', `/label-orders?per_page=200&page=${page}`)).json;
      found.push(...(rows as Listed[]));
      if (rows.length === 0 || found.length >= total) return found;
    }
  }

  it(`labels 1: killed ${ROUNDS} times at ${MOMENTS.length} moments, two processes: each label is bought once`, async () => {
    const key = await signIn('employee');
    for (let round = 0; round < ROUNDS; round++)
      for (const [fault, operation] of MOMENTS) {
        const [first] = await Promise.all([alive(0), alive(1)]);
        await w.easypost.victim(first!.child.pid!);
        const killed = new Promise((resolve) => first!.child.once('exit', resolve));
        const ship_to = { ...RECIPIENT, company: faultText(fault, operation) };
        const body = { ...shipmentOf(1, { ship_to }), method_id: w.outside.method };
        const request = call(`${first!.url}/api/v1/label-orders`, { key, body }).catch(() => undefined);
        await killed;
        await request;
      }
    await Promise.all([alive(0), alive(1)]);
    const expected = ROUNDS * MOMENTS.length;
    const isBought = ({ status }: { readonly status: string }): boolean => status === 'LABEL_PURCHASED';
    await eventually(async () => {
      const found = await orders();
      return found.length === expected && found.every(isBought);
    }, 'all labels are bought');
    const { purchases } = await w.easypost.state();
    expect(purchases).to.have.length(expected);
    expect(new Set(purchases.map(({ reference }) => reference)).size).to.equal(expected);
    expect(new Set(purchases.map(({ shipment_id }) => shipment_id)).size).to.equal(expected);
    const types = (await Promise.all((await orders()).map(({ id }) => typesOf(id)))).flat();
    expect(types).to.not.include('LabelPurchaseFailed').and.to.not.include('LabelPurchaseLeftOpen');
  });
});
