/** What jobs leave that is too large for a result: sealed, and deleted with the people that it speaks of. */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Vault } from '../vault.js';

export interface ArtifactInfo {
  readonly name: string;
  readonly media_type: string;
  readonly size: number;
  /** Of the content, in hexadecimal digits. */
  readonly sha256: string;
}

export interface JobArtifacts {
  /**
   * Kept in place of one of the same name. `subjects`: whose erasure deletes it. Throws a RangeError for what is larger
   * than 64 MiB.
   */
  put(job: string, name: string, mediaType: string, content: Buffer, subjects: readonly string[]): Promise<void>;
  list(job: string): Promise<readonly ArtifactInfo[]>;
  /** Undefined: it is not there any more. Throws ArtifactDamaged where it is not what was put. */
  get(job: string, name: string): Promise<(ArtifactInfo & { readonly content: Buffer }) | undefined>;
  /** Deletes those that speak of these subjects. */
  forget(subjects: readonly string[]): Promise<void>;
  sweep(): Promise<number>;
}

/** Its bytes are not those that were put. */
export class ArtifactDamaged extends Error {
  override readonly name = 'ArtifactDamaged';
}

const LARGEST = 64 * 1024 * 1024;
const KEPT_DAYS = 90;

type Row = Omit<ArtifactInfo, 'sha256'> & { readonly sha256: Buffer; readonly content: Buffer };
const infoOf = ({ name, media_type, size, sha256 }: Omit<Row, 'content'>): ArtifactInfo => ({
  name,
  media_type,
  size,
  sha256: sha256.toString('hex'),
});

export function createJobArtifacts(pool: Pool, vault: Vault): JobArtifacts {
  const contextOf = (job: string, name: string) => `${job}/${name}`;
  return {
    async put(job, name, mediaType, content, subjects) {
      if (content.length > LARGEST) throw new RangeError(`the artifact ${name} has ${content.length} bytes`);
      await pool.query(
        `insert into access.job_artifacts (job, name, media_type, size, sha256, subjects, content) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (job, name) do update set media_type = excluded.media_type, size = excluded.size, sha256 = excluded.sha256,
           subjects = excluded.subjects, content = excluded.content, created_at = now()`,
        [
          job,
          name,
          mediaType,
          content.length,
          createHash('sha256').update(content).digest(),
          subjects,
          vault.seal(content, contextOf(job, name)),
        ],
      );
    },
    async list(job) {
      const { rows } = await pool.query<Omit<Row, 'content'>>(
        'select name, media_type, size, sha256 from access.job_artifacts where job = $1 order by name',
        [job],
      );
      return rows.map(infoOf);
    },
    async get(job, name) {
      const { rows } = await pool.query<Row>('select * from access.job_artifacts where job = $1 and name = $2', [
        job,
        name,
      ]);
      const row = rows[0];
      if (!row) return undefined;
      return { ...infoOf(row), content: opened(vault, row, contextOf(job, name)) };
    },
    async forget(subjects) {
      await pool.query('delete from access.job_artifacts where subjects && $1', [subjects]);
    },
    async sweep() {
      const { rowCount } = await pool.query(
        'delete from access.job_artifacts where created_at < now() - make_interval(days => $1)',
        [KEPT_DAYS],
      );
      return rowCount ?? 0;
    },
  };
}

function opened(vault: Vault, { name, sha256, content }: Row, context: string): Buffer {
  let plain: Buffer;
  try {
    plain = vault.open(content, context);
  } catch (cause) {
    throw new ArtifactDamaged(`the artifact ${name} cannot be opened`, { cause });
  }
  if (!createHash('sha256').update(plain).digest().equals(sha256))
    throw new ArtifactDamaged(`the artifact ${name} is not what was put`);
  return plain;
}
