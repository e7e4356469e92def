/** A decision whose process is killed between the operation and the record. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { DispatchDecisionRecorded } from '../../src/events/dispatch/events.js';
import { call } from '../support/clients/http.js';
import { killedAt } from '../support/processes/killed-at.js';
import { createOrderFactory } from '../support/worlds/order-factory.js';
import { startTestService, type TestService } from '../support/worlds/service.js';
import { signIns } from '../support/worlds/users.js';

describe('decisions of dispatchers with processes', () => {
  let t: TestService;
  before(async () => void (t = await startTestService()));
  after(() => t.stop());

  it('dispatch 3: killed between operation and record, repeated with the key: one operation, one decision', async () => {
    const orders = createOrderFactory(t);
    const order = await orders.createOne();
    const at = new Date();
    await orders.sendCommand(order, {
      do: 'scan',
      tracking_number: `MADE${order}`,
      status_code: 'delivery_failed',
      occurred_at: at.toISOString(),
      instant: at.toISOString().replace('Z', '000000Z'),
    });
    const key = await signIns(t)('employee');
    const path = `/dispatch/items/failed_stop:${order}`;
    const { version } = (await t.api(path, { key })).json.item;
    const headers = { 'idempotency-key': randomUUID() };
    const decide = (url: string) =>
      call(`${url}/api/v1${path}/decisions`, { key, headers, body: { version, decision: 'cancel' } });

    await killedAt(DispatchDecisionRecorded.type, t, decide);
    const countEvents = async (type: string) => {
      let count = 0;
      for await (const event of t.service.engines.log.read(`order-${order}`)) if (event.type === type) count += 1;
      return count;
    };
    const decisions = async () => (await t.api(`/dispatch/decisions?order_id=${order}`, { key })).json.decisions;
    expect(await countEvents('OrderCancelled'), 'it was done').to.equal(1);
    expect(await decisions(), 'and not recorded').to.deep.equal([]);

    let answer = await decide(t.url);
    // The killed process had started the request, so another process takes it over after a while.
    for (let tries = 0; answer.status !== 200 && tries < 600; tries++) {
      await sleep(100);
      answer = await decide(t.url);
    }
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.json).to.deep.include({ result: true, outcome: { status: 'done' } });
    expect(await countEvents('OrderCancelled')).to.equal(1);
    expect(await decisions()).to.have.length(1);
  });
});
