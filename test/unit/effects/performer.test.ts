/** The table of docs/effects.md: what a worker does from each step. */
import { expect } from 'chai';
import { createHandler } from '../../../src/commands/core/handler.js';
import type { Adapter, Dedupe, EffectResult, Outcome } from '../../../src/engines/outside/adapter.js';
import { createCircuits } from '../../../src/engines/outside/circuits.js';
import { createPerformer, type Claim } from '../../../src/effects/performer.js';
import { eventTypes } from '../../../src/events/core/codec.js';
import { timeLimits } from '../../../src/events/core/time-limits.js';
import { effectIdFor } from '../../../src/events/effects/effect-id.js';
import type { EffectRecord } from '../../../src/events/effects/records.js';
import { double } from '../../support/double/decider.js';
import { DOUBLE_EVENTS, PURCHASE } from '../../support/double/events.js';
import { createMemoryLog } from '../../support/fakes/memory-log.js';
import { CAUSE } from '../../support/worlds/test-core.js';

const stream = 'double-1';
const kind = PURCHASE.kind;
const effectId = effectIdFor({ stream, kind, about: 'parcel', attempt: 1 });
const BEGUN_AT = Date.parse('2026-03-01T10:00:00Z');
const key = Buffer.alloc(32, 1);
const keyRing = {
  keysFor: (subjects: readonly string[]) => Promise.resolve(new Map(subjects.map((one) => [one, key]))),
  existing: () => Promise.resolve(new Map([[stream, key]])),
};

const RESULT = { number: 'N1', label: 'L' };
const done: Outcome<EffectResult> = { is: 'done', result: RESULT };
const notDone: Outcome<EffectResult> = { is: 'not_done', code: 'NOT_FOUND', final: false };
const declined: Outcome<EffectResult> = { is: 'not_done', code: 'DECLINED', final: true };
const unknown: Outcome<EffectResult> = { is: 'unknown', cause: 'timeout' };

interface World {
  readonly dedupe?: Dedupe;
  /** Steps in the log after the beginning. */
  readonly steps?: readonly EffectRecord[];
  readonly reserve?: Outcome<{ readonly remoteId: string }>;
  readonly look?: Outcome<EffectResult> | Error;
  readonly act?: Outcome<EffectResult> | Error;
  readonly claim?: Partial<Claim>;
  /** Time since the beginning, in milliseconds. */
  readonly age?: number;
  readonly digest?: string;
  /** Failures of the account before. */
  readonly failures?: number;
  /** Time that the look takes, in milliseconds. */
  readonly lookMs?: number;
}

/** Performs the effect once. Returns the calls, the events after the beginning, and the delay until the next attempt. */
async function performed({
  dedupe = 'key',
  steps = [],
  reserve,
  look = notDone,
  act = done,
  claim = {},
  age = 1_000,
  digest = 'd',
  failures = 0,
  lookMs = 0,
}: World) {
  const log = createMemoryLog();
  let time = BEGUN_AT;
  const handle = createHandler({
    decider: double,
    types: eventTypes(DOUBLE_EVENTS as never),
    log,
    keyRing,
    now: () => time,
  });
  await handle(
    stream,
    { do: 'order', stream, business: 1, adapter: 'a', account: '1', digest: 'd', note: 'For Ada' },
    CAUSE,
  );
  for (const record of steps) await handle(stream, { do: 'effect', kind, effectId, record }, CAUSE);
  const before = log.streams.get(stream)!.length;
  time += age;

  const calls: string[] = [];
  const reply = <T>(outcome: T | Error): Promise<T> =>
    outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
  const adapter: Adapter = {
    name: 'a',
    dedupe,
    ...(reserve && { reserve: () => (calls.push('reserve'), reply(reserve)) }),
    look: ({ remoteId }) => {
      calls.push(`look ${remoteId ?? ''}`.trim());
      time += lookMs;
      return reply(look);
    },
    act: ({ remoteId, key: given }) => {
      expect(given).to.equal(effectId);
      calls.push(`act ${remoteId ?? ''}`.trim());
      return reply(act);
    },
  };
  const circuits = createCircuits({ openMs: 30_000, now: () => time });
  for (let failure = 0; failure < failures; failure++) circuits.note({ adapter: 'a', account: '1' }, false);
  const postponed: (readonly [number, string | undefined])[] = [];
  const performer = createPerformer({
    kinds: () =>
      new Map([
        [
          kind,
          { steps: PURCHASE, adapter: () => adapter, request: () => Promise.resolve({ note: 'For Ada' }), handle },
        ],
      ]),
    store: {
      note: () => Promise.resolve(),
      postpone: (_id, _worker, afterMs, cause) => {
        postponed.push([afterMs, cause]);
        return Promise.resolve();
      },
    },
    circuits,
    limits: timeLimits(),
    worker: 'w',
    now: () => time,
    digestOf: () => digest,
  });
  const effect = await performer.perform({
    effectId,
    stream,
    kind,
    begunAt: new Date(BEGUN_AT),
    attempts: 0,
    claims: 2,
    claimedAt: time,
    isNew: false,
    ...claim,
  });
  const events = log.streams
    .get(stream)!
    .slice(before)
    .map(({ type }) => type.replace('DoublePurchase', ''));
  return { calls, events, postponed, step: effect?.step };
}

const RESERVED: EffectRecord = { step: 'reserved', remoteId: 'o1' };
const reserve = { is: 'done', result: { remoteId: 'o1' } } as const;
/** The claim of the request that appended the beginning. */
const first: Partial<Claim> = { claims: 1, isNew: true };

describe('a worker of an effect', () => {
  it('that has just begun acts without looking', async () =>
    expect(await performed({ claim: first })).to.deep.equal({
      calls: ['act'],
      events: ['d'],
      postponed: [],
      step: 'done',
    }));

  it('reserves, records the object, and acts on it', async () =>
    expect(await performed({ claim: first, dedupe: 'object', reserve })).to.deep.include({
      calls: ['reserve', 'act o1'],
      events: ['Reserved', 'd'],
      step: 'done',
    }));

  it('reserves again after a restart: an unused object is harmless', async () =>
    expect(await performed({ dedupe: 'object', reserve })).to.deep.include({
      calls: ['reserve', 'act o1'],
      step: 'done',
    }));

  it('looks first once the effect is reserved', async () => {
    const world: World = { dedupe: 'object', reserve, steps: [RESERVED] };
    expect(await performed({ ...world, look: done })).to.deep.include({ calls: ['look o1'], events: ['d'] });
    expect(await performed(world), 'not done').to.deep.include({ calls: ['look o1', 'act o1'], events: ['d'] });
    expect(await performed({ ...world, look: unknown })).to.deep.include({
      calls: ['look o1'],
      events: [],
      postponed: [[1_000, 'timeout']],
      step: 'reserved',
    });
  });

  for (const dedupe of ['key', 'lookup'] as const)
    it(`looks first without a reservation, with dedupe ${dedupe}`, async () =>
      expect(await performed({ dedupe, look: done })).to.deep.include({ calls: ['look'], events: ['d'] }));

  it('looks first if another worker had a claim before the request that began', async () =>
    expect(await performed({ claim: { claims: 2, isNew: true } })).to.deep.include({ calls: ['look', 'act'] }));

  it('with dedupe none leaves the effect open if the call may have been sent', async () => {
    expect(await performed({ dedupe: 'none' })).to.deep.include({ calls: [], events: ['LeftOpen'], step: 'left_open' });
    expect(await performed({ dedupe: 'none', claim: first, act: unknown })).to.deep.include({
      calls: ['act'],
      events: ['LeftOpen'],
    });
    expect(await performed({ dedupe: 'none', claim: first })).to.deep.include({ events: ['d'] });
    expect(await performed({ dedupe: 'none', reserve, steps: [RESERVED] })).to.deep.include({
      calls: ['look o1'],
      events: ['LeftOpen'],
    });
  });

  it('records a refusal of the action or the reservation', async () => {
    expect(await performed({ claim: first, act: declined })).to.deep.include({ events: ['Refused'], step: 'refused' });
    const refused = { is: 'not_done', code: 'DECLINED', final: true } as const;
    expect(await performed({ claim: first, reserve: refused })).to.deep.include({
      calls: ['reserve'],
      events: ['Refused'],
    });
  });

  it('waits 1, 4, 16 and 64 s, and at most 15 min', async () => {
    const delays = [];
    for (const attempts of [0, 1, 2, 3, 4, 5, 50])
      delays.push((await performed({ act: unknown, claim: { attempts } })).postponed[0]![0]);
    expect(delays).to.deep.equal([1_000, 4_000, 16_000, 64_000, 256_000, 900_000, 900_000]);
  });

  it('leaves the effect open after 24 h, after a last look', async () => {
    const age = 86_400_000;
    expect(await performed({ age: age - 1, act: unknown })).to.deep.include({ events: [] });
    expect(await performed({ age, act: unknown })).to.deep.include({
      calls: ['look', 'act'],
      events: ['LeftOpen'],
      step: 'left_open',
    });
    expect(await performed({ age, look: done })).to.deep.include({ events: ['d'] });
  });

  it('treats an exception, and a result of another form, as unknown', async () => {
    expect(await performed({ act: new Error('bug') })).to.deep.include({ events: [], postponed: [[1_000, 'error']] });
    expect(await performed({ act: { is: 'done', result: { other: 1 } } })).to.deep.include({
      events: [],
      postponed: [[1_000, 'unreadable']],
    });
  });

  it('starts the action only while 40 s of the claim are left', async () => {
    expect(await performed({ lookMs: 80_000 })).to.deep.include({ calls: ['look', 'act'] });
    expect(await performed({ lookMs: 80_001 })).to.deep.include({
      calls: ['look'],
      events: [],
      postponed: [[0, undefined]],
    });
  });

  it('never continues with another request, but finds the result of the first one', async () => {
    const world: World = { dedupe: 'object', reserve, digest: 'other' };
    expect(await performed(world)).to.deep.include({ calls: [], events: ['LeftOpen'] });
    expect(await performed({ ...world, steps: [RESERVED] })).to.deep.include({
      calls: ['look o1'],
      events: ['LeftOpen'],
    });
    expect(await performed({ ...world, steps: [RESERVED], look: done })).to.deep.include({ events: ['d'] });
    expect(await performed({ claim: first, digest: 'other' })).to.deep.include({ calls: [], events: ['LeftOpen'] });
  });

  it('makes no call while the circuit is open', async () =>
    expect(await performed({ claim: first, failures: 5 })).to.deep.include({
      calls: [],
      events: [],
      postponed: [[30_000, undefined]],
    }));

  it('does nothing about an effect that has ended or is open', async () => {
    for (const step of [
      { step: 'done', result: RESULT },
      { step: 'refused', code: 'DECLINED', final: true },
      { step: 'left_open', cause: 'timeout' },
    ] as const)
      expect(await performed({ steps: [step] })).to.deep.equal({
        calls: [],
        events: [],
        postponed: [],
        step: step.step,
      });
  });
});
