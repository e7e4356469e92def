/**
 * `keys.ndjson.gz`: the keys of personal data, encrypted with MASTER_KEY, and every other table that the log does not
 * restore. An old file together with MASTER_KEY gives access to data that was erased later. Therefore keep only the
 * latest of these files, separate from the log.
 */
import { createHash } from 'node:crypto';
import type { Entry } from '../../engines/postgres/tables.js';
import type { Vault } from '../../engines/vault.js';
import { DamagedBackup, readLines, writeLines } from './lines.js';

const HEADER = { format: 'open-transport keys', version: 1 } as const;
/**
 * Known plaintext that is encrypted in the header, so that a wrong MASTER_KEY is detected before anything is written.
 */
const SEALED = 'backup';

export interface KeysHeader {
  /** Applied migrations of the source database. */
  readonly migrations: readonly string[];
  /** Encrypted known plaintext (base64). */
  readonly sealed: string;
}

interface KeysSummary {
  readonly entries: number;
  /** SHA-256 over the lines of the entries, in hexadecimal. */
  readonly sha256: string;
}

/** Returns the number of written entries. */
export async function writeKeysFile(
  file: string,
  entries: AsyncIterable<Entry>,
  { migrations, vault, signal }: { migrations: readonly string[]; vault: Vault; signal: AbortSignal },
): Promise<number> {
  const sum = createHash('sha256');
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    yield JSON.stringify({ ...HEADER, migrations, sealed: vault.seal(Buffer.from(SEALED), SEALED).toString('base64') });
    for await (const entry of entries) {
      const line = JSON.stringify(entry);
      sum.update(line);
      count++;
      yield line;
    }
    yield JSON.stringify({ entries: count, sha256: sum.digest('hex') } satisfies KeysSummary);
  }
  await writeLines(file, lines(), signal);
  return count;
}

/** Yields the header, then the entries. Throws `DamagedBackup` after the last entry at the latest. */
export async function* readKeysFile(file: string): AsyncGenerator<KeysHeader | Entry> {
  const sum = createHash('sha256');
  let count = -1;
  let summary: KeysSummary | undefined;
  for await (const line of readLines(file)) {
    if (summary) throw new DamagedBackup(`${file} contains data after its end.`);
    if ('sha256' in (line as KeysSummary)) {
      summary = line as KeysSummary;
      continue;
    }
    if (++count > 0) sum.update(JSON.stringify(line));
    else if (
      (line as { format?: unknown }).format !== HEADER.format ||
      (line as { version?: unknown }).version !== HEADER.version
    )
      throw new DamagedBackup(`${file} is not a keys file of this format.`);
    yield line as KeysHeader | Entry;
  }
  if (!summary) throw new DamagedBackup(`${file} is truncated after ${Math.max(0, count)} entries.`);
  if (summary.entries !== count || summary.sha256 !== sum.digest('hex'))
    throw new DamagedBackup(`${file} has been changed.`);
}

/** Returns only the header. */
export async function readKeysHeader(file: string): Promise<KeysHeader> {
  for await (const header of readKeysFile(file)) return header as KeysHeader;
  throw new DamagedBackup(`${file} is empty.`);
}

/** Yields only the entries. */
export async function* entriesOf(file: string): AsyncGenerator<Entry> {
  for await (const line of readKeysFile(file)) if (!('migrations' in line)) yield line;
}

/** Returns whether the keys in the file are encrypted with the master key of `vault`. */
export function opens({ sealed }: KeysHeader, vault: Vault): boolean {
  try {
    return vault.open(Buffer.from(sealed, 'base64'), SEALED).toString() === SEALED;
  } catch {
    return false;
  }
}
