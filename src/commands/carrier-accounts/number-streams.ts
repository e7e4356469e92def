/**
 * Draws numbers from the ranges of carrier accounts, and sets the ranges. A stream has one event per label, so it is
 * never read as a whole: the read model has the state up to a revision, and the stream has the events after it. The
 * expected revision of the append makes sure that no number is drawn twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  NumberDrawn,
  NumberRangeSet,
  numbersStream,
  NUMBERS_PREFIX,
  overlap,
  takenRanges,
  withDrawn,
  withRange,
  type NumberScheme,
  type SerialRange,
  type UsedRange,
} from '../../events/carrier-accounts/numbers.js';
import { decode, encode, type Fact } from '../../events/core/codec.js';
import { LogUnavailable, type Position } from '../../events/core/log.js';
import type { Parts } from '../../events/core/parts.js';
import { derivedId } from '../../events/otep/identity.js';
import { DomainError } from '../core/domain-error.js';
import type { Cause } from '../core/handle.js';
import { metadataOf } from '../core/metadata.js';

/** A number without its check digit. */
export interface Serial {
  readonly prefix: string;
  readonly serial: number;
}

/** The state of a stream up to a revision. */
export interface KnownState {
  readonly ranges: readonly UsedRange[];
  readonly revision: number;
  readonly business: number | undefined;
  /** The numbers of the requested keys. */
  readonly drawn: ReadonlyMap<string, Serial>;
}

export interface NumberStreamsOptions extends Parts<'log' | 'types' | 'keyRing'> {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The state of `<account>-<scheme>` in the read model, which may be behind the log. */
  readonly known: (id: string, keys: readonly string[]) => Promise<KnownState>;
}

export interface NewRange extends SerialRange {
  readonly business: number;
  readonly accountId: number;
  readonly scheme: NumberScheme;
  readonly commandId: string;
}

export interface NumberStreams {
  /** The same number for the same key, always. Undefined: the range is used up, or there is none. */
  draw(accountId: number, scheme: NumberScheme, key: string): Promise<Serial | undefined>;
  /** The number that was drawn for the key. */
  drawn(accountId: number, scheme: NumberScheme, key: string): Promise<Serial | undefined>;
  /** Throws NUMBERS_IN_USE: the account has drawn numbers of the range. Undefined: the range is already in force. */
  setRange(range: NewRange, cause: Cause): Promise<Position | undefined>;
}

interface Job {
  readonly key: string;
  readonly resolve: (serial: Serial | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** A stream that conflicts this often indicates a bug, not a race. */
const MAX_ATTEMPTS = 20;
/** Numbers that are drawn with one append. */
const MAX_BATCH = 200;
/** Milliseconds; other processes get a turn. */
const MAX_PAUSE_MS = 20;

export function createNumberStreams({ log, types, keyRing, now, known }: NumberStreamsOptions): NumberStreams {
  /** Draws of the streams in progress, in order of arrival. */
  const waiting = new Map<string, Job[]>();

  /** The read model and the events after it. */
  async function load(stream: string, keys: readonly string[]) {
    const state = await known(stream.slice(NUMBERS_PREFIX.length), keys);
    const wanted = new Set(keys);
    const drawn = new Map(state.drawn);
    let { ranges, revision, business } = state;
    for await (const event of log.read(stream, revision + 1)) {
      const data = decode(event, types);
      if (event.type === NumberRangeSet.type) {
        const set = data as unknown as SerialRange & { readonly business: number };
        ranges = withRange(ranges, set);
        business ??= set.business;
      }
      if (event.type === NumberDrawn.type) {
        const { prefix, serial, for: key } = data as unknown as Serial & { readonly for: string };
        ranges = withDrawn(ranges, { serial });
        if (wanted.has(key)) drawn.set(key, { prefix, serial });
      }
      revision = event.revision;
    }
    return { ranges, revision, business, drawn };
  }

  /** Undefined: another writer was faster. */
  async function append(stream: string, revision: number, facts: readonly Fact[], cause: Cause) {
    const metadata = metadataOf(cause, now(), undefined);
    const events = await encode(
      facts.map((fact) => ({ fact, metadata })),
      keyRing,
    );
    const [outcome] = await log.append([{ stream, events, expected: revision < 0 ? 'no-stream' : revision }]);
    return outcome!.outcome === 'appended' ? outcome!.position : undefined;
  }

  async function attempts<T>(stream: string, attempt: () => Promise<{ readonly done: T } | undefined>): Promise<T> {
    for (let left = MAX_ATTEMPTS; left > 0; left--) {
      const result = await attempt();
      if (result) return result.done;
      await sleep(Math.random() * MAX_PAUSE_MS);
    }
    throw new LogUnavailable(`Too many concurrent writes to the stream ${stream}.`);
  }

  const drawAll = (stream: string, keys: readonly string[]): Promise<ReadonlyMap<string, Serial>> =>
    attempts(stream, async () => {
      const { ranges, revision, business, drawn } = await load(stream, keys);
      const facts: Fact[] = [];
      const range = ranges.at(-1);
      let next = range?.next ?? 0;
      for (const key of keys) {
        if (drawn.has(key) || !range || next > range.to) continue;
        const serial = { prefix: range.prefix, serial: next++ };
        facts.push({ id: derivedId('number', stream, key), type: NumberDrawn as never, data: { ...serial, for: key } });
        drawn.set(key, serial);
      }
      if (facts.length === 0) return { done: drawn };
      const position = await append(stream, revision, facts, causeOf(stream, business));
      return position === undefined ? undefined : { done: drawn };
    });

  async function drain(stream: string): Promise<void> {
    for (let jobs = waiting.get(stream)!; jobs.length > 0; jobs = waiting.get(stream)!) {
      const taken = jobs.splice(0, MAX_BATCH);
      try {
        const drawn = await drawAll(stream, [...new Set(taken.map(({ key }) => key))]);
        for (const { key, resolve } of taken) resolve(drawn.get(key));
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    waiting.delete(stream);
  }

  return {
    draw: (accountId, scheme, key) =>
      new Promise((resolve, reject) => {
        const stream = numbersStream(accountId, scheme);
        const job = { key, resolve, reject };
        const queue = waiting.get(stream);
        if (queue) return void queue.push(job);
        waiting.set(stream, [job]);
        void drain(stream);
      }),

    async drawn(accountId, scheme, key) {
      return (await load(numbersStream(accountId, scheme), [key])).drawn.get(key);
    },

    setRange({ business, accountId, scheme, commandId, ...range }, cause) {
      const stream = numbersStream(accountId, scheme);
      return attempts(stream, async () => {
        const { ranges, revision } = await load(stream, []);
        if (takenRanges(ranges, range).some((taken) => overlap(taken, range))) throw new DomainError('NUMBERS_IN_USE');
        const current = ranges.at(-1);
        const isInForce = current?.prefix === range.prefix && current.from === range.from && current.to === range.to;
        if (isInForce) return { done: undefined };
        const { prefix, from, to } = range;
        const fact: Fact = {
          id: derivedId('number range', stream, commandId),
          type: NumberRangeSet as never,
          data: { business, carrier_account_id: accountId, scheme, prefix, from, to },
        };
        if (cause.dryRun) {
          cause.dryRun.push({ stream, fact });
          return { done: undefined };
        }
        const position = await append(stream, revision, [fact], cause);
        return position === undefined ? undefined : { done: position };
      });
    },
  };
}

/** Cause of drawn numbers: the effect that needs the number is in the event. */
const causeOf = (stream: string, business: number | undefined): Cause => ({
  correlationId: derivedId(stream),
  actor: { kind: 'system', id: 'carrier-numbers' },
  channel: 'system',
  ...(business !== undefined && { business: String(business) }),
});
