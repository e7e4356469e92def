/**
 * The one way from a command to the log: load, decide, append, and again when another writer was first. Commands to one
 * stream are decided one behind the other and appended together; commands to different streams meet in the log's group
 * commit.
 */
import QuickLRU from 'quick-lru';
import { decode, encode, type EventTypes, type Fact, type KeyRing, type Occurrence } from '../../events/core/codec.js';
import {
  LogUnavailable,
  type AppendOutcome,
  type EventLog,
  type JsonObject,
  type Position,
  type StoredEvent,
} from '../../events/core/log.js';
import type { Decider, PastEvent } from './decider.js';
import { createWholeStreams } from './whole-streams.js';

/** Who did it, through what, and why: stored with every event. */
export interface Cause {
  readonly correlationId: string;
  /** Id of the event or request that led to this. */
  readonly causationId?: string;
  readonly actor: {
    readonly kind: 'user' | 'provider' | 'system';
    readonly id: string;
    readonly role?: string;
    readonly token?: string;
  };
  readonly channel: 'rest' | 'graphql' | 'mcp' | 'kafka' | 'page' | 'system';
  readonly business?: string;
  readonly idempotencyKey?: string;
  /** A dry run: what would be appended is put here, and nothing is appended. */
  readonly rehearsal?: Rehearsal;
}

/** What a dry run would have led to, in order. */
export type Rehearsal = { readonly stream: string; readonly fact: Fact }[];

export interface Handled<R> {
  readonly reply: R;
  /** Whether the command led to events. */
  readonly changed: boolean;
  /**
   * Position from which on reads show what the reply speaks of, also when the command changed nothing; undefined for an
   * empty stream.
   */
  readonly position: Position | undefined;
}

export interface Handle<C, R> {
  (stream: string, command: C, cause: Cause): Promise<Handled<R>>;
}

export interface Handler<C, R> extends Handle<C, R> {
  /**
   * What the command would be answered, without a trace. `exact`: as of now; else as far as this process knows.
   * `isNew`: nobody knows the stream.
   */
  rehearse(
    stream: string,
    command: C,
    options: { readonly exact: boolean; readonly isNew: boolean },
  ): Promise<Pick<Handled<R>, 'reply' | 'position'>>;
}

export interface HandlerOptions<S, C, R> {
  readonly decider: Decider<S, C, R>;
  readonly types: EventTypes;
  readonly log: EventLog;
  readonly keyRing: KeyRing;
  /** Now, in milliseconds since 1970. */
  readonly now: () => number;
  /** W3C Trace Context of what runs now, stored with its events; absent: none is. */
  readonly traceparent?: () => string | undefined;
  /** States kept between commands; a stale one costs a conflict, never a wrong decision. */
  readonly cacheSize?: number;
}

interface Loaded<S> {
  state: S;
  revision: number;
  position: Position | undefined;
}

interface Job<C, R> {
  readonly command: C;
  readonly cause: Cause;
  readonly traceparent: string | undefined;
  readonly resolve: (handled: Handled<R>) => void;
  readonly reject: (error: unknown) => void;
}

/** A stream that never stops conflicting means a bug, not a race. */
const MAX_ATTEMPTS = 20;

export function createHandler<S, C, R>({
  decider,
  types,
  log,
  keyRing,
  now,
  traceparent = () => undefined,
  cacheSize = 5_000,
}: HandlerOptions<S, C, R>): Handler<C, R> {
  const cache = new QuickLRU<string, Loaded<S>>({ maxSize: cacheSize });
  const waiting = new Map<string, Job<C, R>[]>();
  let shared:
    | {
        readonly cause: Cause;
        readonly at: number;
        readonly traceparent: string | undefined;
        readonly metadata: JsonObject;
      }
    | undefined;
  const whole = createWholeStreams(log);

  async function drain(stream: string): Promise<void> {
    for (let jobs = waiting.get(stream)!; jobs.length > 0; jobs = waiting.get(stream)!) {
      waiting.set(stream, []);
      try {
        await run(stream, jobs);
      } catch (error) {
        cache.delete(stream);
        for (const { reject } of jobs) reject(error);
      }
    }
    waiting.delete(stream);
  }

  async function run(stream: string, jobs: readonly Job<C, R>[]): Promise<void> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      // A stream that nobody knows is taken for a new one where it may be one: if it is not, the append conflicts and
      // the next attempt loads it.
      const known = cache.get(stream);
      const guessed = !known && attempt === 1 && jobs.some(({ command }) => decider.begins?.(command) ?? true);
      const loaded = known ?? (guessed ? empty() : await load(stream));
      const { state, facts, settled } = decideAll(loaded, jobs);
      if (facts.length === 0) {
        // What appends nothing never conflicts: the stream itself must say that this was decided on all of it.
        if (guessed || (known && (await catchUp(stream, known)))) continue;
        return settle(settled, loaded.position);
      }
      const [outcome] = await append(stream, loaded.revision, facts);
      // Repeated: another attempt at the same command was first, perhaps in another process. The stream then tells what
      // this one is.
      if (outcome!.outcome === 'appended' && !outcome!.repeated) {
        cache.set(stream, { state, revision: outcome!.revision, position: outcome!.position });
        return settle(settled, outcome!.position);
      }
      cache.delete(stream);
    }
    throw new LogUnavailable(`The stream ${stream} is written by too many at once.`);
  }

  /** Is done before the answer comes: whoever waits for that holds nothing of the events. */
  async function append(
    stream: string,
    revision: number,
    facts: readonly Occurrence[],
  ): Promise<readonly AppendOutcome[]> {
    return log.append([
      { stream, events: await encode(facts, keyRing), expected: revision < 0 ? 'no-stream' : revision },
    ]);
  }

  /** One job behind the other on the evolving state; a job that may not happen leaves the others alone. */
  function decideAll({ state }: Loaded<S>, jobs: readonly Job<C, R>[]) {
    const facts: Occurrence[] = [];
    const settled: { job: Job<C, R>; reply?: R; error?: unknown; changed?: boolean }[] = [];
    for (const job of jobs) {
      try {
        const decision = decider.decide(state, job.command);
        const common = metadata(job);
        for (const fact of decision.facts) {
          facts.push({ fact, metadata: common });
          state = decider.evolve(state, { type: fact.type.type, id: fact.id, data: fact.data as JsonObject });
        }
        settled.push({ job, reply: decision.reply, changed: decision.facts.length > 0 });
      } catch (error) {
        settled.push({ job, error });
      }
    }
    return { state, facts, settled };
  }

  function settle(settled: ReturnType<typeof decideAll>['settled'], position: Position | undefined): void {
    for (const { job, reply, error, changed = false } of settled) {
      if (error !== undefined) job.reject(error);
      else job.resolve({ reply: reply as R, changed, position });
    }
  }

  async function load(stream: string): Promise<Loaded<S>> {
    const loaded = empty();
    const past = await whole(stream);
    past.forEach((event) => takeIn(loaded, event));
    if (past.length > 0) cache.set(stream, loaded);
    return loaded;
  }

  /** Takes in what the stream has gained since; returns whether there was anything. */
  async function catchUp(stream: string, loaded: Loaded<S>): Promise<boolean> {
    const before = loaded.revision;
    for await (const event of log.read(stream, before + 1)) takeIn(loaded, event);
    return loaded.revision > before;
  }

  function takeIn(loaded: Loaded<S>, event: StoredEvent): void {
    loaded.state = decider.evolve(loaded.state, toPast(event));
    loaded.revision = event.revision;
    loaded.position = event.position;
  }

  const empty = (): Loaded<S> => ({ state: decider.initial(), revision: -1, position: undefined });
  const toPast = (event: StoredEvent): PastEvent => ({ type: event.type, id: event.id, data: decode(event, types) });

  /** The jobs of one request at one moment share it, so that the log writes it down once for all of them. */
  function metadata({ cause, traceparent }: Job<C, R>): JsonObject {
    const at = now();
    if (shared?.cause !== cause || shared.at !== at || shared.traceparent !== traceparent)
      shared = { cause, at, traceparent, metadata: metadataOf(cause, at, traceparent) };
    return shared.metadata;
  }

  function metadataOf(cause: Cause, at: number, traceparent: string | undefined): JsonObject {
    return {
      $correlationId: cause.correlationId,
      ...(cause.causationId !== undefined && { $causationId: cause.causationId }),
      recorded_at: new Date(at).toISOString(),
      actor: { ...cause.actor, channel: cause.channel },
      ...(cause.business !== undefined && { business: cause.business }),
      ...(cause.idempotencyKey !== undefined && { idempotency_key: cause.idempotencyKey }),
      ...(traceparent !== undefined && { traceparent }),
    };
  }

  /** Decided on the stream as it is now; commands of one dry run do not see each other's facts. */
  async function tryOut(stream: string, command: C, rehearsal: Rehearsal): Promise<Handled<R>> {
    const { state, position } = await load(stream);
    const { facts, reply } = decider.decide(state, command);
    rehearsal.push(...facts.map((fact) => ({ stream, fact })));
    return { reply, changed: facts.length > 0, position };
  }

  const handle: Handle<C, R> = (stream, command, cause) =>
    cause.rehearsal
      ? tryOut(stream, command, cause.rehearsal)
      : new Promise((resolve, reject) => {
          const job = { command, cause, traceparent: traceparent(), resolve, reject };
          const queue = waiting.get(stream);
          if (queue) return void queue.push(job);
          waiting.set(stream, [job]);
          void drain(stream);
        });

  async function rehearse(
    stream: string,
    command: C,
    { exact, isNew }: { readonly exact: boolean; readonly isNew: boolean },
  ): Promise<Pick<Handled<R>, 'reply' | 'position'>> {
    // The state of a stream that is being written holds facts that are not durable yet.
    const known = exact || waiting.has(stream) ? undefined : (cache.get(stream) ?? (isNew ? empty() : undefined));
    const { state, position } = known ?? (await load(stream));
    return { reply: decider.decide(state, command).reply, position };
  }

  return Object.assign(handle, { rehearse });
}
