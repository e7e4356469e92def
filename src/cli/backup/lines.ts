/** Compressed files of JSON documents, one per line. */
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline as pipe, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** Thrown for a truncated or changed backup. */
export class DamagedBackup extends Error {
  override readonly name = 'DamagedBackup';
}

/** Writes the file completely or not at all, readable only by its owner. */
export async function writeLines(file: string, lines: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  const fresh = `${file}.new`;
  try {
    await pipeline(
      Readable.from(ended(lines)),
      createGzip({ level: 4 }),
      createWriteStream(fresh, { mode: 0o600, flush: true }),
      { signal },
    );
    await rename(fresh, file);
  } finally {
    await rm(fresh, { force: true });
  }
}

async function* ended(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

/** Yields the parsed lines. Throws `DamagedBackup` for an invalid file. */
export async function* readLines(file: string): AsyncGenerator<unknown> {
  // `pipe` forwards errors of both streams to the reader.
  const text = pipe(createReadStream(file), createGunzip(), () => undefined).setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      for (const line of lines) yield JSON.parse(line) as unknown;
    }
    if (rest !== '') throw new Error('the last line is incomplete');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    throw new DamagedBackup(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  } finally {
    text.destroy();
  }
}
