/** The double of EasyPost kills a process at the moment that a test of the service names. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { buy, callWith, easypostAt, purchaseOf, SHIPMENT } from '../../support/easypost/calls.js';
import { faultText, type FaultName } from '../../support/easypost/faults.js';
import { startEasypost, type EasypostDouble } from '../../support/easypost/start-easypost.js';

describe('the double of EasyPost that kills a process', () => {
  let folder: string;
  let double: EasypostDouble;
  let victim: ChildProcess;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transport-easypost-'));
    double = await startEasypost(join(folder, 'state'));
  });
  beforeEach(async () => {
    victim = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await double.victim(victim.pid!);
  });
  afterEach(() => victim.kill('SIGKILL'));
  after(async () => {
    await double?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  for (const [fault, bought] of [
    ['kill_before', 0],
    ['kill_after', 1],
    ['kill_responded', 1],
  ] as const satisfies readonly (readonly [FaultName, number])[])
    it(`${fault} of a purchase: ${bought} labels are bought`, async () => {
      const died = once(victim, 'exit');
      const key = randomUUID();
      const to = { ...SHIPMENT.to, company: faultText(fault, 'buy') };
      const over = new AbortController();
      const acted = buy(
        easypostAt(double.url),
        callWith({ signal: over.signal }),
        key,
        purchaseOf({ shipment: { ...SHIPMENT, to } }),
      );
      expect(await died).to.deep.equal([null, 'SIGKILL']);
      const { purchases } = await double.state();
      expect(purchases.filter(({ reference }) => reference === key)).to.have.length(bought);
      over.abort();
      expect((await acted).outcome.is).to.equal(fault === 'kill_responded' ? 'done' : 'unknown');
    });
});
