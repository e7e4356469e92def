/** Job output that is too large for a result. It is encrypted, and deleted when a person that it concerns is erased. */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Vault } from '../vault.js';

export interface ArtifactInfo {
  readonly name: string;
  readonly media_type: string;
  readonly size: number;
  /** Hash of the content, in hexadecimal digits. */
  readonly sha256: string;
}

export interface NewArtifact {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Buffer;
  readonly subjects: readonly string[];
}

/** A job and the worker that holds it. */
export interface ArtifactMaker {
  readonly job: string;
  readonly worker: string;
}

/** Artifacts about erased subjects are deleted in the transaction that destroys their keys. */
export type JobArtifacts = ReturnType<typeof createJobArtifacts>;

/** The stored bytes differ from the original. */
export class ArtifactDamaged extends Error {
  override readonly name = 'ArtifactDamaged';
}

const LARGEST = 64 * 1024 * 1024;
const RETENTION_DAYS = 90;
/** Advisory lock of migration 0160: the transaction that destroys keys holds it exclusively. */
const ERASURE_LOCK = 7_305_541_260_174_160;
/**
 * Time after the destruction of a key in which a process may still have had it in its cache, because the notification
 * was late.
 */
const KEY_CACHED_SECONDS = 15;

type Row = Omit<ArtifactInfo, 'sha256'> & { readonly sha256: Buffer; readonly content: Buffer };
const infoOf = ({ name, media_type, size, sha256 }: Omit<Row, 'content'>): ArtifactInfo => ({
  name,
  media_type,
  size,
  sha256: sha256.toString('hex'),
});

export function createJobArtifacts(pool: Pool, vault: Vault) {
  const contextOf = (job: string, name: string) => `${job}/${name}`;
  return {
    /**
     * Stores the artifact and replaces one of the same name. `subjects`: an erasure of any of them deletes it. Throws a
     * RangeError for more than 64 MiB. Nothing is stored if the result is one of:
     * - `erased`: one of the subjects was erased since the job began, so its data must not be stored.
     * - `lost`: another worker holds the job.
     */
    async put(
      { job, worker }: ArtifactMaker,
      { name, mediaType, content, subjects }: NewArtifact,
    ): Promise<'kept' | 'erased' | 'lost'> {
      if (content.length > LARGEST) throw new RangeError(`the artifact ${name} has ${content.length} bytes`);
      const sha256 = createHash('sha256').update(content).digest();
      const sealed = vault.seal(content, contextOf(job, name));
      const client = await pool.connect();
      try {
        await client.query('begin');
        // A separate statement: the next statement then sees the state after concurrent key destructions have finished.
        await client.query('select pg_advisory_xact_lock_shared($1)', [ERASURE_LOCK]);
        const { rows } = await client.query<{ held: boolean; erased: boolean }>(
          `with held as (select started_at from access.jobs where id = $1 and worker = $8 and state = 'running' and ending is null for share),
                erased as (select from vault.subject_keys, held where subject = any ($6) and destroyed_at > held.started_at - make_interval(secs => $9)),
                put as (
                  insert into access.job_artifacts (job, name, media_type, size, sha256, subjects, content)
                  select $1, $2, $3, $4, $5, $6, $7 from held where not exists (select from erased)
                  on conflict (job, name) do update set media_type = excluded.media_type, size = excluded.size, sha256 = excluded.sha256,
                    subjects = excluded.subjects, content = excluded.content, created_at = now())
           select exists (select from held) as held, exists (select from erased) as erased`,
          [job, name, mediaType, content.length, sha256, subjects, sealed, worker, KEY_CACHED_SECONDS],
        );
        await client.query('commit');
        const { held, erased } = rows[0]!;
        return !held ? 'lost' : erased ? 'erased' : 'kept';
      } catch (error) {
        await client.query('rollback').catch(() => undefined);
        throw error;
      } finally {
        client.release();
      }
    },
    async list(job: string): Promise<readonly ArtifactInfo[]> {
      const { rows } = await pool.query<Omit<Row, 'content'>>(
        'select name, media_type, size, sha256 from access.job_artifacts where job = $1 order by name',
        [job],
      );
      return rows.map(infoOf);
    },
    /** Undefined if the artifact was deleted. Throws ArtifactDamaged if the stored bytes differ from the original. */
    async get(job: string, name: string): Promise<(ArtifactInfo & { readonly content: Buffer }) | undefined> {
      const { rows } = await pool.query<Row>('select * from access.job_artifacts where job = $1 and name = $2', [
        job,
        name,
      ]);
      const row = rows[0];
      if (!row) return undefined;
      return { ...infoOf(row), content: opened(vault, row, contextOf(job, name)) };
    },
    async sweep(): Promise<number> {
      const { rowCount } = await pool.query(
        'delete from access.job_artifacts where created_at < now() - make_interval(days => $1)',
        [RETENTION_DAYS],
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
    throw new ArtifactDamaged(`the artifact ${name} cannot be decrypted`, { cause });
  }
  if (!createHash('sha256').update(plain).digest().equals(sha256))
    throw new ArtifactDamaged(`the artifact ${name} differs from the stored hash`);
  return plain;
}
