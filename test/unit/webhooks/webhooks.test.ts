/** Rules of webhook settings, delays between delivery attempts, and the circuit breaker of an endpoint. */
import { expect } from 'chai';
import { webhooks, type WebhookCommand } from '../../../src/commands/webhooks/decider.js';
import { createCircuits, USUAL_SLOTS } from '../../../src/webhooks/circuits.js';
import { createAttempts, retryDelay } from '../../../src/webhooks/attempts.js';
import type { Claimed, Settled } from '../../../src/engines/postgres/webhook-delivery.js';
import type { PostResult } from '../../../src/engines/webhooks/post.js';
import { DEFAULT_FLAGS } from '../../../src/events/webhooks/events.js';
import { given } from '../../support/checks/given.js';

const change = (commandId: string, urls: Readonly<Record<string, string>>, flags = {}): WebhookCommand => ({
  do: 'change',
  commandId,
  businessId: 7,
  urls,
  flags,
});
const pause = (endpointId: string): WebhookCommand => ({
  do: 'pause',
  commandId: 'p',
  businessId: 7,
  kind: 'order_created',
  endpointId,
  reason: 'failing',
});
const ON = change('1', { order_created: 'https://example.com/' });
const onId = given(webhooks).when(ON).ids[0]!;

describe('decider of webhook settings', () => {
  it('sets addresses one by one, under an id that a retry has again', () => {
    const { facts, then } = given(webhooks).when(
      change('1', { order_created: 'https://a.example/', tracking_event: 'https://b.example/' }),
    );
    expect(facts).to.deep.equal([
      { type: 'WebhookEndpointSet', data: { kind: 'order_created', on: true, url: 'https://a.example/' } },
      { type: 'WebhookEndpointSet', data: { kind: 'tracking_event', on: true, url: 'https://b.example/' } },
    ]);
    expect(
      then.when(change('1', { order_created: 'https://a.example/', tracking_event: 'https://b.example/' })).facts,
    ).to.deep.equal([]);
  });

  it('disables only enabled settings', () => {
    expect(given(webhooks).when(change('1', { order_created: '' })).facts).to.deep.equal([]);
    expect(given(webhooks, ON).when(change('2', { order_created: '', tracking_event: '' })).facts).to.deep.equal([
      { type: 'WebhookEndpointSet', data: { kind: 'order_created', on: false } },
    ]);
  });

  it('sets the default address and its kinds so that no kind is without an address in between', () => {
    const newUrls = { order_created: '', tracking_event: 'https://t.example/', default: 'https://all.example/' };
    const before = change('1', { order_created: 'https://o.example/' });
    expect(
      given(webhooks, before).when({ ...change('2', newUrls), types: ['*', '*'] } as WebhookCommand).facts,
    ).to.deep.equal([
      { type: 'WebhookEndpointSet', data: { kind: 'tracking_event', on: true, url: 'https://t.example/' } },
      { type: 'WebhookEndpointSet', data: { kind: 'default', on: true, url: 'https://all.example/' } },
      { type: 'WebhookTypesChosen', data: { event_types: ['*'] } },
      { type: 'WebhookEndpointSet', data: { kind: 'order_created', on: false } },
    ]);
    const chosen = { ...change('3', {}), types: ['order_created'] } as WebhookCommand;
    expect(
      given(webhooks, chosen).when({ ...chosen, commandId: '4' }).facts,
      'the same list changes nothing',
    ).to.deep.equal([]);
  });

  it('records changed flags, and secrets only by their id', () => {
    expect(
      given(webhooks).when(change('1', {}, { webhooks_enabled: true, include_personal_data: false })).facts,
    ).to.deep.equal([]);
    expect(
      given(webhooks).when(change('1', {}, { webhooks_enabled: false, include_personal_data: false })).facts,
    ).to.deep.equal([{ type: 'WebhookFlagsChanged', data: { webhooks_enabled: false } }]);
    const { facts } = given(webhooks).when({
      do: 'change',
      commandId: '1',
      businessId: 7,
      urls: {},
      flags: {},
      secret: { id: 's', overlapHours: 24 },
    });
    expect(facts).to.deep.equal([{ type: 'WebhookSecretSet', data: { secret_id: 's', overlap_hours: 24 } }]);
  });

  it('pauses the setting that failed once, and no later one', () => {
    expect(given(webhooks, ON).when(pause(onId)).facts).to.deep.equal([
      { type: 'WebhookEndpointPaused', data: { kind: 'order_created', endpoint_id: onId, reason: 'failing' } },
    ]);
    expect(given(webhooks, ON, pause(onId)).when({ ...pause(onId), commandId: 'q' }).facts).to.deep.equal([]);
    expect(
      given(webhooks, ON, change('2', { order_created: 'https://example.com/' })).when(pause(onId)).facts,
    ).to.deep.equal([]);
    expect(given(webhooks, ON, change('2', { order_created: '' })).when(pause(onId)).facts).to.deep.equal([]);
    expect(given(webhooks).when(pause(onId)).facts).to.deep.equal([]);
  });
});

describe('webhook retries', () => {
  it('wait 1, 8, 64, 512 and 4,096 s, plus or minus a quarter', () => {
    for (const [random, factor] of [
      [0, 0.75],
      [0.5, 1],
      [1, 1.25],
    ] as const) {
      expect([1, 2, 3, 4, 5].map((failed) => retryDelay(failed, 1_000, () => random))).to.deep.equal(
        [1, 8, 64, 512, 4_096].map((seconds) => seconds * 1_000 * factor),
      );
    }
  });
});

describe('Retry-After of a webhook receiver (field-tracking F8)', () => {
  const NOW = Date.parse('2026-11-28T10:00:00Z');
  const claimed: Claimed = {
    id: 'd',
    business: 1,
    kind: 'order_created',
    endpoint: 'order_created',
    event: { stream: 'order-1', revision: 0 },
    target: 'https://shop.example/',
    recordedAt: new Date(NOW),
    attempts: 1,
    most: 6,
  };
  async function resultOf(answered: Partial<PostResult>, delivery: Partial<Claimed> = {}) {
    const settled: Settled[] = [];
    const attempts = createAttempts({
      queue: {
        settle: async (_delivery, result) => void settled.push(result),
        givenUpInARow: async () => 0,
        skipPending: async () => 0,
      },
      queries: {
        settings: async () => ({
          urls: new Map(),
          types: [],
          destinations: new Map(),
          flags: DEFAULT_FLAGS,
          version: 0,
        }),
      },
      secrets: {
        live: async () => [{ secret: 'a-secret-of-16-or-more', asText: false, setAt: new Date(NOW), until: undefined }],
      },
      bodies: { of: async () => ({ bytes: Buffer.from('{}'), personal: false }) },
      post: async () => ({ ms: 1, ...answered }),
      pause: async () => undefined,
      retryMs: 1_000,
      now: () => NOW,
    });
    const { requested, retry } = await attempts.make({ ...claimed, ...delivery });
    expect((settled[0] as { retry?: number }).retry, 'stored').to.equal(retry);
    return { requested, retry };
  }
  const failed = (retryAfter: string, status = 429): Partial<PostResult> => ({ status, error: 'status', retryAfter });

  it('delays the retry: seconds and all forms of an HTTP date', async () => {
    for (const [status, retryAfter] of [
      [429, '60'],
      [503, 'Sat, 28 Nov 2026 10:01:00 GMT'],
      [500, 'Saturday, 28-Nov-26 10:01:00 GMT'],
      [408, 'Sat Nov 28 10:01:00 2026'],
    ] as const)
      expect(await resultOf(failed(retryAfter, status)), retryAfter).to.deep.equal({
        requested: 60_000,
        retry: 60_000,
      });
  });

  it('is limited to the delay of the last retry', async () => {
    for (const retryAfter of ['86400', '9'.repeat(400), 'Sat, 28 Nov 2099 10:01:00 GMT'])
      expect((await resultOf(failed(retryAfter))).retry, retryAfter).to.equal(4_096_000);
  });

  it('never shortens a delay', async () => {
    for (const retryAfter of ['0', '1', 'Sat, 28 Nov 2026 10:00:01 GMT', 'Sat, 28 Nov 2020 10:00:00 GMT'])
      expect((await resultOf(failed(retryAfter), { attempts: 3 })).retry, retryAfter).to.be.within(48_000, 80_000);
  });

  it('is ignored if malformed', async () => {
    for (const retryAfter of [
      '',
      '-5',
      '1.5',
      '1e9',
      '0x10',
      'soon',
      '60, 60',
      '2026-11-28T11:00:00Z',
      'Sat, 31 Feb 2099 10:00:00 GMT',
      'Sat, 28 Nov 2099 25:00:00 GMT',
      'Sat, 28 Nov 2099 10:00:00 CET',
    ]) {
      const { requested, retry } = await resultOf(failed(retryAfter));
      expect([requested, retry! <= 1_250], retryAfter).to.deep.equal([undefined, true]);
    }
  });

  it('is ignored after a success, and adds no attempt after the last one', async () => {
    expect(await resultOf({ status: 204, retryAfter: '60' })).to.deep.equal({ requested: undefined, retry: undefined });
    expect(await resultOf(failed('60'), { attempts: 6 })).to.deep.equal({ requested: 60_000, retry: undefined });
  });

  it('holds other deliveries to the endpoint, at most for the longest pause', () => {
    let now = 0;
    const circuits = createCircuits({ pauseMs: 1_000, now: () => now });
    const end = (requestedMs: number, ok = false) => {
      circuits.begin(1, 'order_created');
      circuits.end(1, 'order_created', ok, requestedMs);
    };
    end(5_000);
    end(0, true);
    now = 4_999;
    expect(circuits.slots().map(({ slots }) => slots)).to.deep.equal([0]);
    now = 5_000;
    expect(circuits.slots(), 'forgotten').to.deep.equal([]);
    end(86_400_000);
    now += 64_000;
    expect(circuits.slots().map(({ slots }) => slots)).to.deep.equal([USUAL_SLOTS]);
  });
});

describe('circuit breakers of webhook endpoints', () => {
  it('pause a failing endpoint for longer and longer, try it with one attempt, and resume with the first success', () => {
    let now = 0;
    const circuits = createCircuits({ pauseMs: 1_000, now: () => now });
    const attempt = (ok: boolean) => {
      circuits.begin(1, 'order_created');
      circuits.end(1, 'order_created', ok);
    };
    const slots = () => circuits.slots()[0]?.slots;
    attempt(false);
    attempt(false);
    expect(slots()).to.equal(USUAL_SLOTS);
    for (const rest of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 64_000]) {
      attempt(false);
      expect(slots(), `${rest}`).to.equal(0);
      now += rest - 1;
      expect(slots()).to.equal(0);
      now += 1;
      expect(slots()).to.equal(1);
    }
    attempt(true);
    expect(circuits.slots(), 'nothing is remembered of a sound one').to.deep.equal([]);
  });

  it('count pending attempts', () => {
    const circuits = createCircuits({ pauseMs: 1_000, now: () => 0 });
    circuits.begin(1, 'order_created');
    circuits.begin(1, 'order_created');
    circuits.begin(2, 'order_created');
    expect(circuits.slots()).to.deep.equal([
      { business: 1, endpoint: 'order_created', slots: USUAL_SLOTS - 2 },
      { business: 2, endpoint: 'order_created', slots: USUAL_SLOTS - 1 },
    ]);
  });
});
