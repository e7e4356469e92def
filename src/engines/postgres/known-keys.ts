/**
 * Records the keys of the database, and the secrets that its master key encrypts. A process with another key stops
 * before it reads or writes: other processes could not decrypt its data.
 */
import { hkdfSync } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { inTransaction } from './transaction.js';
import type { KeyName } from '../../events/keys/events.js';
import { publicKeyOf } from '../../events/tree/signed-note.js';
import { createVault } from '../vault.js';
import { StartupError } from '../startup-error.js';

/** Each purpose has a separate secret. A new secret is derived from the master key that first opened the database. */
export const PURPOSES = [
  'subject keys',
  'stored answers',
  'authorization server',
  'order batches',
  'webhooks',
  'e-mail addresses',
  'oauth signing key',
  'oauth cookies',
  'order search',
  'address book',
  'jobs',
  'map links',
  'geocoded addresses',
  'documents',
  'quotes',
  'effects',
  'credentials',
  'inbox',
] as const;
export type Purpose = (typeof PURPOSES)[number];
export type Secrets = Readonly<Record<Purpose, Buffer>>;

export interface Keys {
  /** 32 bytes. */
  readonly master: Buffer;
  /** Ed25519 private key, 32 bytes; undefined: this process signs nothing, and the key is not checked. */
  readonly signing: Buffer | undefined;
}

const follows = (master: Buffer, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', master, '', purpose, 32));
/** Reveals nothing about the key. */
export const fingerprintOf = {
  MASTER_KEY: (key: Buffer) => follows(key, 'fingerprint').subarray(0, 16),
  SIGNING_KEY: (key: Buffer) => publicKeyOf(key),
} as const;

/** Fingerprints of the keys of a process. */
export const fingerprintsOf = ({ master, signing }: Keys): readonly (readonly [KeyName, Buffer])[] => [
  ['MASTER_KEY', fingerprintOf.MASTER_KEY(master)],
  ...(signing ? [['SIGNING_KEY', fingerprintOf.SIGNING_KEY(signing)] as const] : []),
];

const WRAPPING = 'secrets';
const RACED = 5;

/** Decrypts the secrets. Throws if a key is not the database's, with its name. */
export async function openKnownKeys(pool: Pool, { master, signing }: Keys): Promise<Secrets> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(pool, async (db) => {
        await expectKey(db, 'MASTER_KEY', master, () => expectOpens(db, master));
        if (signing) await expectKey(db, 'SIGNING_KEY', signing);
        return readSecrets(db, master);
      });
    } catch (error) {
      // A concurrent process has just inserted the first rows.
      if ((error as { code?: string }).code !== '23505' || attempt === RACED) throw error;
    }
  }
}

/** Encrypts the secrets with another master key. Running processes continue; the next start needs the new key. */
export async function rotateMasterKey(pool: Pool, master: Buffer, next: Buffer): Promise<void> {
  await inTransaction(pool, async (db) => {
    const secrets = await readSecrets(db, master);
    const vault = createVault(next, WRAPPING);
    for (const purpose of PURPOSES)
      await db.query('update vault.secrets set wrapped = $2 where purpose = $1', [
        purpose,
        vault.seal(secrets[purpose], purpose),
      ]);
    await replaceKey(db, 'MASTER_KEY', next);
  });
}

/** Earlier heads keep their signatures: the previous key stays known. */
export async function rotateSigningKey(pool: Pool, next: Buffer): Promise<void> {
  await inTransaction(pool, (db) => replaceKey(db, 'SIGNING_KEY', next));
}

/** Public keys, 32 bytes each, of all current and previous signing keys of the database. */
export async function knownSigners(pool: Pool): Promise<Buffer[]> {
  const { rows } = await pool.query<{ fingerprint: Buffer }>(
    `select fingerprint from vault.known_keys where name = 'SIGNING_KEY'`,
  );
  return rows.map(({ fingerprint }) => fingerprint);
}

/** Whether the database records the key as current. */
export async function isInUse(pool: Pool, name: KeyName, key: Buffer): Promise<boolean> {
  const { rowCount } = await pool.query(
    'select from vault.known_keys where name = $1 and until is null and fingerprint = $2',
    [name, fingerprintOf[name](key)],
  );
  return rowCount === 1;
}

/** Whether the database records this fingerprint as that of a replaced key. */
export async function wasInUse(pool: Pool, name: KeyName, fingerprint: Buffer): Promise<boolean> {
  const { rowCount } = await pool.query(
    'select from vault.known_keys where name = $1 and until is not null and fingerprint = $2',
    [name, fingerprint],
  );
  return rowCount === 1;
}

async function expectKey(
  db: PoolClient,
  name: KeyName,
  key: Buffer,
  mayBeFirst: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const own = fingerprintOf[name](key);
  const { rows } = await db.query<{ fingerprint: Buffer }>(
    'select fingerprint from vault.known_keys where name = $1 and until is null for share',
    [name],
  );
  const known = rows[0]?.fingerprint;
  if (known === undefined) {
    await mayBeFirst();
    await db.query('insert into vault.known_keys (name, fingerprint) values ($1, $2)', [name, own]);
  } else if (!known.equals(own)) throw wrongKey(name, own, known);
}

const short = (fingerprint: Buffer): string => fingerprint.toString('hex').slice(0, 8);

/** Creates the startup error for a wrong key. `source`: the store that records another key. */
export function wrongKey(
  name: KeyName,
  own?: Buffer,
  known?: Buffer,
  source: 'database' | 'log' = 'database',
): StartupError {
  const differ = own && known ? ` Its fingerprint is ${short(own)}, the ${source} has ${short(known)}.` : '';
  return new StartupError(
    `${name} is not the key of this ${source}, so the service did not start.${differ} Use the same key as the other processes; to change it: npm run admin -- keys rotate.`,
  );
}

/** For a database without recorded fingerprints: a wrapped key in it shows whether the master key is right. */
async function expectOpens(db: PoolClient, master: Buffer): Promise<void> {
  const { rows } = await db.query<{ subject: string; wrapped: Buffer }>(
    'select subject, wrapped from vault.subject_keys where wrapped is not null limit 1',
  );
  try {
    for (const { subject, wrapped } of rows) createVault(master, 'subject keys').open(wrapped, subject);
  } catch {
    throw wrongKey('MASTER_KEY');
  }
}

async function readSecrets(db: PoolClient, master: Buffer): Promise<Secrets> {
  const vault = createVault(master, WRAPPING);
  const { rows } = await db.query<{ purpose: string; wrapped: Buffer }>('select purpose, wrapped from vault.secrets');
  const wrapped = new Map(rows.map((row) => [row.purpose, row.wrapped]));
  const secrets = {} as Record<Purpose, Buffer>;
  for (const purpose of PURPOSES) {
    const box = wrapped.get(purpose);
    secrets[purpose] = box ? vault.open(box, purpose) : follows(master, purpose);
    if (!box)
      await db.query('insert into vault.secrets (purpose, wrapped) values ($1, $2)', [
        purpose,
        vault.seal(secrets[purpose], purpose),
      ]);
  }
  return secrets;
}

async function replaceKey(db: PoolClient, name: KeyName, next: Buffer): Promise<void> {
  await db.query('update vault.known_keys set until = now() where name = $1 and until is null', [name]);
  await db.query(
    'insert into vault.known_keys (name, fingerprint) values ($1, $2) on conflict (name, fingerprint) do update set until = null, since = now()',
    [name, fingerprintOf[name](next)],
  );
}
