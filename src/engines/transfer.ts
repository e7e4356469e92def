/** Copies a log into another one in the same global order. The Merkle root proves that both logs are equal. */
import { leafHashOf, type LeafEvent } from '../events/tree/leaf.js';
import {
  AppendTooLarge,
  jsonOf,
  START,
  type EventLog,
  type EncodedEvent,
  type Position,
  type StoredEvent,
  type StreamAppend,
} from '../events/core/log.js';
import { MerkleTree } from '../events/tree/merkle.js';
import type { LogHandle } from './open-log.js';

export interface TransferOptions {
  readonly signal: AbortSignal;
  /** Called with the number of events in the target, including earlier ones. */
  readonly onProgress?: (events: number) => void;
  /** Number of events in one call of the target's `append`; at most the maximum of its engine. */
  readonly batch?: number;
}

export interface Transferred {
  readonly events: number;
  /** Number of events that were already in the target. */
  readonly before: number;
  /** Merkle root of both logs. 32 bytes. */
  readonly root: Buffer;
}

/** The target contains events that the source does not have, so it is no partial copy. Nothing was written. */
export class NotACopy extends Error {
  override readonly name = 'NotACopy';
}

/** Yields all events of the log in order, and ends at its end. */
export async function* wholeLog(
  log: EventLog,
  signal: AbortSignal,
  from: Position = START,
): AsyncGenerator<StoredEvent> {
  for (let head = await log.head(); from < head; head = await log.head()) {
    for await (const { events, position } of log.subscribe(from, { batch: 1_000, signal })) {
      yield* events;
      from = position;
      if (position >= head) break;
    }
    signal.throwIfAborted();
  }
}

/**
 * Appends the events of `source` that the target does not have yet. `source` yields the log from its start, in order. A
 * target with the beginning of the source is continued: ids, revisions and content are compared. A transfer can
 * therefore be repeated after any interruption. No other process may write to the target. Throws `NotACopy`, and an
 * error if the target's events differ from the written ones.
 */
export async function transfer(
  source: AsyncIterable<LeafEvent>,
  target: Omit<LogHandle, 'close'>,
  options: TransferOptions,
): Promise<Transferred> {
  const { signal, onProgress = () => undefined, batch: size = 500 } = options;
  const tree = new MerkleTree();
  const from = source[Symbol.asyncIterator]();
  try {
    const position = await compareExisting(from, target.log, tree, options);
    const existingTree = new MerkleTree(tree.size, tree.peaks);
    let batch: LeafEvent[] = [];
    const flush = async () => {
      await appendInOrder(batch, target);
      for (const event of batch) tree.append(leafHashOf(event));
      onProgress(tree.size);
      batch = [];
    };
    for (let next = await from.next(); !next.done; next = await from.next()) {
      signal.throwIfAborted();
      if (batch.push(next.value) === size) await flush();
    }
    await flush();

    const written = new MerkleTree(existingTree.size, existingTree.peaks);
    for await (const event of wholeLog(target.log, signal, position)) written.append(leafHashOf(event));
    const root = tree.root();
    if (written.size !== tree.size || !written.root().equals(root))
      throw new Error(`The copy differs from the source: ${written.size} events of ${tree.size} were read back.`);
    return { events: tree.size, before: existingTree.size, root };
  } finally {
    await from.return?.();
  }
}

/**
 * Compares the events in the target with the beginning of the source; returns the position of the target's last event.
 */
async function compareExisting(
  from: AsyncIterator<LeafEvent>,
  target: EventLog,
  tree: MerkleTree,
  { signal, onProgress }: TransferOptions,
): Promise<Position> {
  let position = START;
  for await (const targetEvent of wholeLog(target, signal)) {
    const sourceEvent = await from.next();
    if (sourceEvent.done)
      throw new NotACopy(
        `The target contains more events than the source: ${targetEvent.stream} ${targetEvent.revision} is not in the source.`,
      );
    const hash = leafHashOf(sourceEvent.value);
    if (!hash.equals(leafHashOf(targetEvent)))
      throw new NotACopy(
        `The target contains other events: its event ${tree.size} is ${nameOf(targetEvent)}, but ${nameOf(sourceEvent.value)} in the source.`,
      );
    tree.append(hash);
    position = targetEvent.position;
    onProgress?.(tree.size);
  }
  return position;
}

const nameOf = ({ stream, revision, id }: LeafEvent): string => `${stream} ${revision} (${id})`;

async function appendInOrder(events: readonly LeafEvent[], { log, ordered }: Omit<LogHandle, 'close'>): Promise<void> {
  for (const call of callsOf(events, ordered)) await append(call, log);
}

const writtenOut = (event: LeafEvent): EncodedEvent => ({
  id: event.id,
  type: event.type,
  version: event.version,
  json: jsonOf(event),
  metadata: event.metadata,
});

/** Groups events into calls of `append`. A call may have several streams, each of them once. */
function callsOf(events: readonly LeafEvent[], ordered: boolean): StreamAppend[][] {
  const calls: StreamAppend[][] = [];
  const streams = new Set<string>();
  let run: { stream: string; events: EncodedEvent[]; expected: StreamAppend['expected'] } | undefined;
  for (const event of events) {
    if (run?.stream === event.stream) {
      run.events.push(writtenOut(event));
      continue;
    }
    run = {
      stream: event.stream,
      events: [writtenOut(event)],
      expected: event.revision === 0 ? 'no-stream' : event.revision - 1,
    };
    if (calls.length === 0 || !ordered || streams.has(event.stream)) {
      calls.push([]);
      streams.clear();
    }
    streams.add(event.stream);
    calls.at(-1)!.push(run);
  }
  return calls;
}

async function append(call: readonly StreamAppend[], log: EventLog): Promise<void> {
  try {
    const outcomes = await log.append(call);
    const refused = call.find((_, index) => outcomes[index]!.outcome === 'conflict');
    if (refused) throw new Error(`Another process writes to ${refused.stream} of the target.`);
  } catch (error) {
    const [only] = call;
    if (!(error instanceof AppendTooLarge) || call.length > 1 || only!.events.length === 1) throw error;
    const half = only!.events.length >> 1;
    await append([{ ...only!, events: only!.events.slice(0, half) }], log);
    await append(
      [
        {
          ...only!,
          events: only!.events.slice(half),
          expected: (only!.expected === 'no-stream' ? -1 : only!.expected) + half,
        },
      ],
      log,
    );
  }
}
