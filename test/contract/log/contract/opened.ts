/** The subject of the contract, and the small helpers that its parts share. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LogUnavailable } from '../../../../src/events/core/log.js';
import type {
  AppendOutcome,
  Batch,
  EventLog,
  JsonObject,
  EncodedEvent,
  Position,
  StoredEvent,
  StreamAppend,
} from '../../../../src/events/core/log.js';
import { given, type GivenEvent } from '../../../support/fakes/new-event.js';

/** Faults of the engine, for openers that can cause them. */
export interface LogFaults {
  /** The next `count` appends are stored, and their responses are lost. */
  loseAnswers(count: number): void | Promise<void>;
  /** Cuts every connection of the log once. */
  resetConnections(): void | Promise<void>;
  /** Stops the engine. */
  stop(): void | Promise<void>;
  /** Starts it again at the same address and with its data. */
  start(): void | Promise<void>;
}

export interface OpenedLog {
  readonly log: EventLog;
  readonly faults?: LogFaults;
  /** Whether nothing has ever been appended to it. */
  readonly empty?: boolean;
  /** Runs an append that is rolled back, on engines that can roll back. */
  disturb?(): Promise<void>;
  close(): Promise<void>;
}

/** A prefix that no other test's streams have, so the suite may run on a log in use. */
export const newArea = (): string => `contract${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;

export function newEvent(data: JsonObject = { n: 1 }, rest: Partial<EncodedEvent> = {}): GivenEvent {
  return given({
    id: crypto.randomUUID(),
    type: 'ContractChecked',
    version: 1,
    data,
    metadata: { $correlationId: crypto.randomUUID() },
    ...rest,
  });
}

export const newEvents = (count: number): GivenEvent[] => Array.from({ length: count }, (_, n) => newEvent({ n }));

/** The only outcome of an append of one stream. */
export async function appendOne(
  log: EventLog,
  stream: string,
  events: readonly EncodedEvent[],
  expected: StreamAppend['expected'],
): Promise<AppendOutcome> {
  const [outcome] = await log.append([{ stream, events, expected }]);
  if (!outcome) throw new Error('An append of one stream has one outcome.');
  return outcome;
}

/** Repeats the same append while the engine is unreachable, like a writer that must not give up. */
export async function appendSurely(log: EventLog, appends: readonly StreamAppend[]): Promise<readonly AppendOutcome[]> {
  for (;;) {
    try {
      return await log.append(appends);
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      await sleep(20);
    }
  }
}

export async function listed<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export interface Following {
  readonly from: Position;
  readonly prefixes?: readonly string[];
  readonly batch?: number;
  /** Milliseconds that the consumer takes for each batch. */
  readonly work?: number;
}

/** Batches from a subscription until one fulfils `isLast`. If none does, the test ends by its own time limit. */
export async function follow(
  log: EventLog,
  following: Following,
  isLast: (batch: Batch, seen: readonly StoredEvent[]) => boolean,
): Promise<Batch[]> {
  const { from, prefixes, batch = 100, work = 0 } = following;
  const stop = new AbortController();
  const batches: Batch[] = [];
  const seen: StoredEvent[] = [];
  for await (const next of log.subscribe(from, { batch, signal: stop.signal, ...(prefixes && { prefixes }) })) {
    batches.push(next);
    seen.push(...next.events);
    if (isLast(next, seen)) stop.abort();
    else if (work > 0) await sleep(work);
  }
  return batches;
}

export const eventsOf = (batches: readonly Batch[]): StoredEvent[] => batches.flatMap((batch) => batch.events);
export const idsOf = (events: readonly Pick<StoredEvent, 'id'>[]): string[] => events.map((event) => event.id);
