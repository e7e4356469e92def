/** Acceptance D7: 1,000 events to 10 endpoints, one of them hanging: the other nine do not wait for it. */
import { expect } from 'chai';
import { event, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { startReceiver, type Receiver } from '../../support/fakes/webhook-receiver.js';
import { ALLOWED, openBusiness, SECRET } from '../../support/worlds/webhooks.js';

const ENDPOINTS = 10;
const EVENTS = 1_000;

describe('many webhooks', () => {
  let test: TestService;
  const receivers: Receiver[] = [];

  before(async () => void (test = await startTestService({ env: { ...ALLOWED, WEBHOOK_TIMEOUT_MS: '60000' } })));
  after(async () => {
    await test.stop();
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });

  it('reach nine endpoints while the tenth hangs', async () => {
    const mine = await Promise.all(Array.from({ length: ENDPOINTS }, () => startReceiver()));
    receivers.push(...mine);
    const [hanging, ...others] = mine as [Receiver, ...Receiver[]];
    hanging.answer('hang');
    const numbers: string[] = [];
    for (const [n, { url }] of mine.entries()) {
      const { set, open } = await openBusiness(test, n);
      await set({ tracking_event_webhook_url: url, webhook_secret: SECRET });
      numbers.push(await open());
    }
    const each = EVENTS / ENDPOINTS;
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
    await Promise.all(others.map((receiver) => receiver.waitFor(each)));
    for (const [n, { received }] of others.entries()) {
      expect(new Set(received.map(({ json }) => json.data.event.event_id)).size).to.equal(each);
      expect(new Set(received.map(({ json }) => json.data.subject.tracking_number))).to.deep.equal(
        new Set([numbers[n + 1]]),
      );
    }
    expect(hanging.received.length, 'it is given a few at a time').to.be.within(1, 8);
  });
});
