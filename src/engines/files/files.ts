/**
 * Files of all areas: their metadata in a table, their bytes encrypted under the key of the person that they concern.
 * Events refer to files by id, media type and size, and never contain the content.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Parts } from '../../events/core/parts.js';
import { inTransaction } from '../postgres/transaction.js';
import type { FileBytes } from './bytes.js';
import { openFile, sealFile } from './sealing.js';

export const FILE_PURPOSES = ['photo', 'document', 'import', 'map', 'issued'] as const;
export type FilePurpose = (typeof FILE_PURPOSES)[number];

export interface NewFile {
  /** UUID. Putting the same id again has no effect. */
  readonly id: string;
  readonly business: number;
  /** User id of the uploader. */
  readonly owner: number;
  /** The subject whose key encrypts the file. */
  readonly subject: string;
  readonly purpose: FilePurpose;
  readonly mediaType: string;
  readonly content: Buffer;
}

export interface FileInfo extends Omit<NewFile, 'content' | 'mediaType'> {
  readonly media_type: string;
  readonly size: number;
  readonly used_at: Date | null;
}

/**
 * Limits of files that are not used yet. They are removed after a day. The number does not include released files; the
 * bytes do until these files are removed.
 */
export interface UploadQuota {
  readonly user: QuotaLimits;
  readonly business: QuotaLimits;
}
interface QuotaLimits {
  readonly files: number;
  readonly bytes: number;
}

/** An upload would exceed a quota of its user or business. `max`: number of files or bytes. */
export class UploadQuotaExceeded extends Error {
  override readonly name = 'UploadQuotaExceeded';
  constructor(
    readonly scope: keyof UploadQuota,
    readonly limit: keyof QuotaLimits,
    readonly max: number,
  ) {
    super(`the ${scope} has more than ${max} ${limit} of unused files`);
  }
}

export interface Files {
  /**
   * Durable when it resolves. With a quota, throws UploadQuotaExceeded if the file would exceed it; a file that exists
   * already never does.
   */
  put(file: NewFile, quota?: UploadQuota): Promise<void>;
  /** Undefined if the file does not exist or was erased. */
  find(id: string): Promise<FileInfo | undefined>;
  /** Undefined as in `find`. Throws FileDamaged if the stored bytes differ from the original. */
  open(id: string): Promise<(FileInfo & { readonly content: Buffer }) | undefined>;
  /** Marks the file as used, so that it is kept, and encrypts it under the key of `subject`. */
  use(id: string, subject: string): Promise<void>;
  /** The file has served its purpose: an unused file is removed an hour later. */
  release(id: string): Promise<void>;
  /** Total size of the used files of a subject, without the files with these ids. */
  usedBytes(subject: string, except: readonly string[]): Promise<number>;
  remove(id: string): Promise<void>;
  /** Removes all files of these subjects. */
  drop(subjects: readonly string[]): Promise<void>;
  /** Removes uploads that are unused after a day, released files, files of erased subjects, and files whose removal was interrupted. */
  sweep(): Promise<void>;
}

/** The stored bytes are missing or differ from the original. */
export class FileDamaged extends Error {
  override readonly name = 'FileDamaged';
}

const UNUSED_MS = 24 * 3_600_000;
const RELEASED_MS = 3_600_000;
const AT_ONCE = 100;
const COLUMNS = 'id, place, business, owner, subject, purpose, media_type, size, sha256, used_at';

type Row = FileInfo & { readonly place: string; readonly sha256: Buffer };
const infoOf = ({ place: _place, sha256: _sha256, ...info }: Row): FileInfo => info;
const sha256Of = (content: Buffer): Buffer => createHash('sha256').update(content).digest();

/** Counts one upload of a business at a time, so that each sees the earlier ones. */
async function expectQuota(db: Pick<Pool, 'query'>, file: NewFile, quota: UploadQuota): Promise<void> {
  const { id, business, owner, content } = file;
  await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`files ${business}`]);
  const { rows } = await db.query<Record<'user_files' | 'user_bytes' | 'files' | 'bytes', string>>(
    `select count(*) filter (where owner = $2 and released_at is null) as user_files,
            coalesce(sum(size) filter (where owner = $2), 0) as user_bytes,
            count(*) filter (where released_at is null) as files, coalesce(sum(size), 0) as bytes
       from vault.files where business = $1 and used_at is null and ended_at is null and id <> $3
        and not exists (select from vault.files f where f.id = $3)`,
    [business, owner, id],
  );
  const open = rows[0]!;
  const expectBelow = (scope: keyof UploadQuota, files: string, bytes: string): void => {
    const most = quota[scope];
    if (Number(files) + 1 > most.files) throw new UploadQuotaExceeded(scope, 'files', most.files);
    if (Number(bytes) + content.length > most.bytes) throw new UploadQuotaExceeded(scope, 'bytes', most.bytes);
  };
  expectBelow('user', open.user_files, open.user_bytes);
  expectBelow('business', open.files, open.bytes);
}

export function createFiles({
  pool,
  bytes,
  keyRing,
  now,
}: Parts<'keyRing' | 'now'> & { pool: Pool; bytes: FileBytes }): Files {
  async function rowOf(id: string): Promise<Row | undefined> {
    const { rows } = await pool.query<Row>(
      `select ${COLUMNS} from vault.files where id = $1 and ended_at is null
          and not exists (select from vault.subject_keys k where k.subject = files.subject and k.wrapped is null)`,
      [id],
    );
    return rows[0];
  }

  async function keyOf(subject: string): Promise<Buffer | undefined> {
    return (await keyRing.existing([subject])).get(subject);
  }

  async function contentOf({ id, place, subject, sha256 }: Row): Promise<Buffer | undefined> {
    const key = await keyOf(subject);
    if (!key) return undefined;
    const sealed = await bytes.get(place);
    if (!sealed) throw new FileDamaged(`the bytes of the file ${id} are missing`);
    let content: Buffer;
    try {
      content = openFile(sealed, key, place);
    } catch (cause) {
      throw new FileDamaged(`the file ${id} cannot be decrypted`, { cause });
    }
    if (!sha256Of(content).equals(sha256)) throw new FileDamaged(`the file ${id} differs from the stored hash`);
    return content;
  }

  async function seal(place: string, subject: string, content: Buffer): Promise<void> {
    const key = (await keyRing.keysFor([subject])).get(subject);
    // No files are stored for an erased subject.
    if (key) await bytes.put(place, sealFile(content, key, place));
  }

  /** Deletes the row after the bytes, so that a sweep can retry a removal that failed. */
  async function end(ended: readonly Pick<Row, 'id' | 'place'>[]): Promise<void> {
    for (const { id, place } of ended) {
      await bytes.remove(place);
      await pool.query('delete from vault.files where id = $1', [id]);
    }
  }

  const files: Files = {
    async put(file, quota) {
      const { id, business, owner, subject, purpose, mediaType, content } = file;
      const insert = (db: Pick<Pool, 'query'>) =>
        db.query(
          `insert into vault.files (id, place, business, owner, subject, purpose, media_type, sha256, size, created_at)
           values ($1, $1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
          [id, business, owner, subject, purpose, mediaType, sha256Of(content), content.length, new Date(now())],
        );
      // Inserted before the bytes: after a crash, bytes without a row would never be removed.
      if (!quota) await insert(pool);
      else
        await inTransaction(pool, async (db) => {
          await expectQuota(db, file, quota);
          await insert(db);
        });
      await seal(id, subject, content);
    },
    async find(id) {
      const row = await rowOf(id);
      return row && infoOf(row);
    },
    async open(id) {
      const row = await rowOf(id);
      const content = row && (await contentOf(row));
      return content && { ...infoOf(row), content };
    },
    async use(id, subject) {
      const row = await rowOf(id);
      if (!row) return;
      let place = row.place;
      if (row.subject !== subject) {
        const content = await contentOf(row);
        if (!content) return;
        await seal((place = randomUUID()), subject, content);
      }
      // In one statement, so that the row always names the current location and key of the bytes.
      await pool.query(
        'update vault.files set used_at = coalesce(used_at, $2), subject = $3, place = $4 where id = $1 and place = $5',
        [id, new Date(now()), subject, place, row.place],
      );
      if (place !== row.place) await bytes.remove(row.place);
    },
    async release(id) {
      await pool.query(
        'update vault.files set released_at = $2 where id = $1 and used_at is null and released_at is null',
        [id, new Date(now())],
      );
    },
    async usedBytes(subject, except) {
      const { rows } = await pool.query<{ bytes: string }>(
        `select coalesce(sum(size), 0) as bytes from vault.files
          where subject = $1 and used_at is not null and ended_at is null and id <> all ($2)`,
        [subject, except],
      );
      return Number(rows[0]!.bytes);
    },
    async remove(id) {
      const { rows } = await pool.query<Row>('update vault.files set ended_at = $2 where id = $1 returning id, place', [
        id,
        new Date(now()),
      ]);
      await end(rows);
    },
    async drop(subjects) {
      const { rows } = await pool.query<Row>(
        'update vault.files set ended_at = $2 where subject = any ($1) returning id, place',
        [subjects, new Date(now())],
      );
      await end(rows);
    },
    async sweep() {
      const { rows } = await pool.query<Row>(
        `select id, place from vault.files f where ended_at is not null
            or (used_at is null and (created_at < $1 or released_at < $3))
            or exists (select from vault.subject_keys k where k.subject = f.subject and k.wrapped is null) limit $2`,
        [new Date(now() - UNUSED_MS), AT_ONCE, new Date(now() - RELEASED_MS)],
      );
      await end(rows);
    },
  };
  return files;
}
