/** Where sealed bytes of files lie: in the database, or in a bucket. */
import type { Pool } from 'pg';

export interface FileBytes {
  put(place: string, bytes: Buffer): Promise<void>;
  /** Undefined: there are none. */
  get(place: string): Promise<Buffer | undefined>;
  /** What is not there is removed already. */
  remove(place: string): Promise<void>;
}

const PIECE = 1_048_576;

/** Rows of at most 1 MiB: every process reads them, in the embedded default too. */
export function createDatabaseBytes(pool: Pool): FileBytes {
  return {
    async put(place, bytes) {
      // What an attempt that was cut off has left is no part of it.
      await pool.query('delete from vault.file_chunks where place = $1', [place]);
      for (let number = 0; number * PIECE < bytes.length; number++)
        await pool.query('insert into vault.file_chunks (place, number, content) values ($1, $2, $3)', [
          place,
          number,
          bytes.subarray(number * PIECE, (number + 1) * PIECE),
        ]);
    },
    async get(place) {
      const { rows } = await pool.query<{ content: Buffer }>(
        'select content from vault.file_chunks where place = $1 order by number',
        [place],
      );
      return rows.length === 0 ? undefined : Buffer.concat(rows.map(({ content }) => content));
    },
    async remove(place) {
      await pool.query('delete from vault.file_chunks where place = $1', [place]);
    },
  };
}
