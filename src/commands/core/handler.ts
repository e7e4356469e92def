/**
 * Every command reaches the log through this handler: it loads, decides and appends, and retries if another writer was
 * faster. Commands to one stream are decided one after the other and appended together. Commands to different streams
 * share the log's group commit.
 */
import QuickLRU from 'quick-lru';
import { decode, encode, type EventTypes, type KeyRing, type Occurrence } from '../../events/core/codec.js';
import {
  LogUnavailable,
  type AppendOutcome,
  type EventLog,
  type JsonObject,
  type Position,
  type StoredEvent,
} from '../../events/core/log.js';
import { pastOf, type Decider, type PastEvent } from './decider.js';
import {
  mustBeExpected,
  type Cause,
  type Expected,
  type Handled,
  type Handler,
  type DryRun,
  type Versions,
} from './handle.js';
import { SharedMetadata } from './metadata.js';
import { createWholeStreams } from './whole-streams.js';

export interface HandlerOptions<S, C, R> {
  readonly decider: Decider<S, C, R>;
  readonly types: EventTypes;
  readonly log: EventLog;
  readonly keyRing: KeyRing;
  /** Current time, in milliseconds since 1970. */
  readonly now: () => number;
  /** W3C Trace Context of the current operation, stored with its events. Absent: there is no tracing. */
  readonly traceparent?: () => string | undefined;
  /** Called with the position of each append. */
  readonly appended?: (position: Position) => void;
  /** Number of cached states. A stale state costs a conflict, but never leads to a wrong decision. */
  readonly cacheSize?: number;
}

interface Loaded<S> extends Versions {
  state: S;
  revision: number;
  readonly parts: Map<string, number>;
  position: Position | undefined;
}

interface Job<C, R> {
  readonly command: C;
  readonly cause: Cause;
  readonly traceparent: string | undefined;
  readonly resolve: (handled: Handled<R>) => void;
  readonly reject: (error: unknown) => void;
}

/** The outcome of a job: the reply of its command, or the error that rejects it. */
interface Decided<C, R> {
  readonly job: Job<C, R>;
  readonly reply?: R;
  readonly error?: unknown;
  readonly changed?: boolean;
}

/** A stream that conflicts this often indicates a bug, not a race. */
const MAX_ATTEMPTS = 20;

export function createHandler<S, C, R>(options: HandlerOptions<S, C, R>): Handler<C, R> {
  const handler = new StreamHandler(options);
  return Object.assign(handler.handle.bind(handler), { dryRun: handler.dryRun.bind(handler) });
}

class StreamHandler<S, C, R> {
  readonly #options: HandlerOptions<S, C, R>;
  readonly #cache: QuickLRU<string, Loaded<S>>;
  /** Jobs of the streams in progress, in order of arrival. */
  readonly #waiting = new Map<string, Job<C, R>[]>();
  readonly #metadata = new SharedMetadata();
  readonly #readWhole: ReturnType<typeof createWholeStreams>;

  constructor(options: HandlerOptions<S, C, R>) {
    this.#options = options;
    this.#cache = new QuickLRU({ maxSize: options.cacheSize ?? 5_000 });
    this.#readWhole = createWholeStreams(options.log);
  }

  handle(stream: string, command: C, cause: Cause): Promise<Handled<R>> {
    if (cause.dryRun) return this.#dryRun(stream, command, cause, cause.dryRun);
    return new Promise((resolve, reject) => {
      const job = { command, cause, traceparent: this.#options.traceparent?.(), resolve, reject };
      const queue = this.#waiting.get(stream);
      if (queue) return void queue.push(job);
      this.#waiting.set(stream, [job]);
      void this.#drain(stream);
    });
  }

  async dryRun(
    stream: string,
    command: C,
    { exact, isNew }: { readonly exact: boolean; readonly isNew: boolean },
  ): Promise<Pick<Handled<R>, 'reply' | 'position'>> {
    // The state of a stream with a write in progress contains events that are not durable yet.
    const known =
      exact || this.#waiting.has(stream) ? undefined : (this.#cache.get(stream) ?? (isNew ? this.#empty() : undefined));
    const { state, position } = known ?? (await this.#load(stream));
    return { reply: this.#options.decider.decide(state, command).reply, position };
  }

  /** Decides on the current state of the stream. Commands of one dry run do not see the events of each other. */
  async #dryRun(stream: string, command: C, cause: Cause, collected: DryRun): Promise<Handled<R>> {
    const loaded = await this.#load(stream);
    const { facts, reply } = this.#options.decider.decide(loaded.state, command);
    mustBeExpected(cause, stream, loaded, facts.length > 0);
    collected.push(...facts.map((fact) => ({ stream, fact })));
    return { reply, changed: facts.length > 0, position: loaded.position };
  }

  async #drain(stream: string): Promise<void> {
    for (let jobs = this.#waiting.get(stream)!; jobs.length > 0; jobs = this.#waiting.get(stream)!) {
      this.#waiting.set(stream, []);
      try {
        await this.#run(stream, jobs);
      } catch (error) {
        this.#cache.delete(stream);
        for (const { reject } of jobs) reject(error);
      }
    }
    this.#waiting.delete(stream);
  }

  async #run(stream: string, jobs: readonly Job<C, R>[]): Promise<void> {
    const { decider } = this.#options;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      // A stream that is not in the cache is first treated as new if a command may begin it. If it exists, the append
      // conflicts, and the next attempt loads it.
      const known = this.#cache.get(stream);
      const guessed = !known && attempt === 1 && jobs.some(({ command }) => decider.begins?.(command) ?? true);
      const loaded = known ?? (guessed ? this.#empty() : await this.#load(stream));
      const { state, facts, decided, met } = this.#decideAll(stream, loaded, jobs);
      if (facts.length === 0) {
        // A command without events cannot conflict. So the stream is read again, to check that the decision used all of
        // its events.
        if (guessed || (known && (await this.#catchUp(stream, known)))) continue;
        return settle(decided, loaded.position);
      }
      const [outcome] = await this.#append(stream, loaded.revision, facts);
      // Repeated: another attempt at the same command was first, perhaps in another process. The stream then contains
      // its result.
      if (outcome!.outcome === 'appended' && !outcome!.repeated) {
        const { revision, position } = outcome!;
        this.#cache.set(stream, { state, revision, position, parts: loaded.parts });
        for (const expected of met) expected.met = true;
        this.#options.appended?.(position);
        return settle(decided, position);
      }
      this.#cache.delete(stream);
    }
    throw new LogUnavailable(`Too many concurrent writes to the stream ${stream}.`);
  }

  /** A separate function, so that a caller that waits for the outcome keeps no reference to the events. */
  async #append(stream: string, revision: number, facts: readonly Occurrence[]): Promise<readonly AppendOutcome[]> {
    const events = await encode(facts, this.#options.keyRing);
    return this.#options.log.append([{ stream, events, expected: revision < 0 ? 'no-stream' : revision }]);
  }

  /** Decides one job after the other on the evolving state. A rejected job does not affect the others. */
  #decideAll(stream: string, { state, revision, parts }: Loaded<S>, jobs: readonly Job<C, R>[]) {
    const { decider, now } = this.#options;
    const facts: Occurrence[] = [];
    const decided: Decided<C, R>[] = [];
    const met = new Set<Expected>();
    for (const job of jobs) {
      try {
        const decision = decider.decide(state, job.command);
        const changed = decision.facts.length > 0;
        const { expected } = job.cause;
        if (!expected || !met.has(expected))
          mustBeExpected(job.cause, stream, { revision: revision + facts.length, parts }, changed);
        if (expected?.stream === stream && changed) met.add(expected);
        const metadata = this.#metadata.of(job.cause, now(), job.traceparent);
        for (const fact of decision.facts) {
          facts.push({ fact, metadata });
          const past = {
            type: fact.type.type,
            id: fact.id,
            data: fact.data as JsonObject,
            recordedAt: metadata['recorded_at'] as string,
          };
          state = decider.evolve(state, past);
          this.#notePart(parts, past, revision + facts.length);
        }
        decided.push({ job, reply: decision.reply, changed });
      } catch (error) {
        decided.push({ job, error });
      }
    }
    return { state, facts, decided, met };
  }

  async #load(stream: string): Promise<Loaded<S>> {
    const loaded = this.#empty();
    const past = await this.#readWhole(stream);
    for (const event of past) this.#apply(loaded, event);
    if (past.length > 0) this.#cache.set(stream, loaded);
    return loaded;
  }

  /** Applies the events that the stream has gained since `loaded`. Returns whether there were any. */
  async #catchUp(stream: string, loaded: Loaded<S>): Promise<boolean> {
    const before = loaded.revision;
    for await (const event of this.#options.log.read(stream, before + 1)) this.#apply(loaded, event);
    return loaded.revision > before;
  }

  #apply(loaded: Loaded<S>, event: StoredEvent): void {
    const past = pastOf(event, decode(event, this.#options.types));
    loaded.state = this.#options.decider.evolve(loaded.state, past);
    this.#notePart(loaded.parts, past, event.revision);
    loaded.revision = event.revision;
    loaded.position = event.position;
  }

  #notePart(parts: Map<string, number>, event: PastEvent, revision: number): void {
    const part = this.#options.decider.partOf?.(event);
    if (part !== undefined) parts.set(part, revision);
  }

  #empty(): Loaded<S> {
    return { state: this.#options.decider.initial(), revision: -1, parts: new Map(), position: undefined };
  }
}

function settle<C, R>(decided: readonly Decided<C, R>[], position: Position | undefined): void {
  for (const { job, reply, error, changed = false } of decided) {
    if (error !== undefined) job.reject(error);
    else job.resolve({ reply: reply as R, changed, position });
  }
}
