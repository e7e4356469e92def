/**
 * The contract of the event log port: the behaviour of every engine, defined once and run on each of them. It is
 * independent of the engine.
 */
import { expect } from 'chai';
import { START } from '../../../src/events/core/log.js';
import { appendContract } from './contract/appends.js';
import { faultContract } from './contract/faults.js';
import type { OpenedLog } from './contract/opened.js';
import { readContract } from './contract/reads.js';
import { readerContract } from './contract/readers.js';
import { subscriptionContract } from './contract/subscriptions.js';
import { skip } from '../../support/run-summary.js';

/**
 * Registers the suite under `name`. `open` is called once, before the first test, and may reach a log that already
 * holds other events. If it returns no `faults`, the tests that need them are skipped.
 */
export function eventLogContract(name: string, open: () => Promise<OpenedLog>): void {
  describe(`event log on ${name}`, () => {
    let opened: OpenedLog;
    before(async () => {
      opened = await open();
    });
    after(() => opened?.close());

    it('begins with START as the head of an empty log', async function () {
      if (!opened.empty) skip(this, 'the log of this engine holds events of others');
      expect(await opened.log.head()).to.equal(START);
    });

    const current = (): OpenedLog => opened;
    appendContract(current);
    readContract(current);
    subscriptionContract(current);
    readerContract(current);
    faultContract(current);
  });
}
