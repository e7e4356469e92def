/** Stores the encrypted bytes of files: in the database (here), or in a bucket. */
import type { Pool } from 'pg';

export type FileBytes = ReturnType<typeof createDatabaseBytes>;

const PIECE = 1_048_576;

/** Stores the bytes in rows of at most 1 MiB. Every process can read them, also with the embedded database. */
export function createDatabaseBytes(pool: Pool) {
  return {
    async put(place: string, bytes: Buffer): Promise<void> {
      // Removes the rows of an interrupted attempt.
      await pool.query('delete from vault.file_chunks where place = $1', [place]);
      for (let number = 0; number * PIECE < bytes.length; number++)
        await pool.query('insert into vault.file_chunks (place, number, content) values ($1, $2, $3)', [
          place,
          number,
          bytes.subarray(number * PIECE, (number + 1) * PIECE),
        ]);
    },
    /** Undefined if there are no bytes. */
    async get(place: string): Promise<Buffer | undefined> {
      const { rows } = await pool.query<{ content: Buffer }>(
        'select content from vault.file_chunks where place = $1 order by number',
        [place],
      );
      return rows.length === 0 ? undefined : Buffer.concat(rows.map(({ content }) => content));
    },
    /** Does nothing if there are no bytes. */
    async remove(place: string): Promise<void> {
      await pool.query('delete from vault.file_chunks where place = $1', [place]);
    },
  };
}
