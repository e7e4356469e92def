/**
 * `log.ndjson.gz`: the events as stored, in order. Personal data in them is encrypted, so the file may be kept as long
 * as the log.
 */
import { leafHashOf, type LeafEvent } from '../../events/tree/leaf.js';
import { MerkleTree } from '../../events/tree/merkle.js';
import { DamagedBackup, readLines, writeLines } from './lines.js';

const HEADER = { format: 'open-transport log', version: 1 } as const;

/** Last line of the file: the number of events and their Merkle root in hexadecimal. */
export interface LogSummary {
  readonly events: number;
  readonly root: string;
}

export async function writeLogFile(
  file: string,
  events: AsyncIterable<LeafEvent>,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (events: number) => void },
): Promise<LogSummary> {
  const tree = new MerkleTree();
  async function* lines(): AsyncGenerator<string> {
    yield JSON.stringify(HEADER);
    for await (const event of events) {
      const { stream, revision, id, type, version, data, metadata } = event;
      yield JSON.stringify({ stream, revision, id, type, version, data, metadata });
      tree.append(leafHashOf(event));
      onProgress?.(tree.size);
    }
    yield JSON.stringify(summaryOf(tree));
  }
  await writeLines(file, lines(), signal);
  return summaryOf(tree);
}

/**
 * Yields the events. Throws `DamagedBackup`, after the last event at the latest, if they differ from the written
 * events.
 */
export async function* readLogFile(file: string): AsyncGenerator<LeafEvent, LogSummary> {
  const tree = new MerkleTree();
  let header: unknown;
  let summary: LogSummary | undefined;
  for await (const line of readLines(file)) {
    if (header === undefined) {
      header = line;
      if (JSON.stringify(header) !== JSON.stringify(HEADER))
        throw new DamagedBackup(`${file} is not a log of this format: ${JSON.stringify(header)?.slice(0, 100)}`);
    } else if (summary) {
      throw new DamagedBackup(`${file} contains data after its end.`);
    } else if ('root' in (line as LogSummary)) {
      summary = line as LogSummary;
    } else {
      tree.append(leafHashOf(line as LeafEvent));
      yield line as LeafEvent;
    }
  }
  const found = summaryOf(tree);
  if (!summary) throw new DamagedBackup(`${file} is truncated after ${found.events} events.`);
  if (summary.root !== found.root || summary.events !== found.events)
    throw new DamagedBackup(
      `${file} has been changed: the Merkle root of its ${found.events} events is ${found.root}, and should be ${summary.root} of ${summary.events}.`,
    );
  return found;
}

const summaryOf = (tree: MerkleTree): LogSummary => ({ events: tree.size, root: tree.root().toString('hex') });
