/** Acceptance D7: 1,000 events to 10 endpoints, one of them hanging: the other nine get theirs within 5 s. */
import { expect } from 'chai';
import { event, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { startReceiver, type Receiver } from '../../support/fakes/webhook-receiver.js';
import { ALLOWED, openBusiness, SECRET } from '../../support/worlds/webhooks.js';

const ENDPOINTS = 10;
const EVENTS = 1_000;
/** Each try has businesses and endpoints of its own: what a slow machine did not do in time is tried again. */
let tries = 0;

describe('many webhooks', () => {
  let test: TestService;
  const receivers: Receiver[] = [];

  before(async () => void (test = await startTestService({ env: { ...ALLOWED, WEBHOOK_TIMEOUT_MS: '10000' } })));
  after(async () => {
    await test.stop();
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });

  it('reach nine endpoints within 5 s while the tenth hangs', async () => {
    const mine = await Promise.all(Array.from({ length: ENDPOINTS }, () => startReceiver()));
    receivers.push(...mine);
    const [hanging, ...others] = mine as [Receiver, ...Receiver[]];
    const first = ENDPOINTS * tries++;
    hanging.answer('hang');
    const numbers: string[] = [];
    for (const [n, { url }] of mine.entries()) {
      const { set, open } = await openBusiness(test, first + n);
      await set({ tracking_event_webhook_url: url, webhook_secret: SECRET });
      numbers.push(await open());
    }
    const each = EVENTS / ENDPOINTS;
    const begun = Date.now();
    const pushes = await Promise.all(
      numbers.map((number) =>
        test.push(
          timelineOf(
            number,
            Array.from({ length: each }, (_, n) => event('in_transit', n / 60)),
          ),
          { key: test.demo.strict_provider.key },
        ),
      ),
    );
    for (const { json } of pushes) expect(json.accepted).to.equal(each);
    await Promise.all(others.map((receiver) => receiver.waitFor(each, 30_000)));
    const took = Date.now() - begun;
    console.log(`      ${EVENTS} events pushed and ${each * others.length} webhooks received in ${took} ms`);
    expect(took).to.be.below(5_000);
    for (const [n, { received }] of others.entries()) {
      expect(new Set(received.map(({ json }) => json.data.event.event_id)).size).to.equal(each);
      expect(new Set(received.map(({ json }) => json.data.subject.tracking_number))).to.deep.equal(
        new Set([numbers[n + 1]]),
      );
    }
    expect(hanging.received.length, 'it is given a few at a time').to.be.within(1, 8);
  });
});
