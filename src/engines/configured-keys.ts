/** Provides the configured keys, or the keys that a service with the embedded database generates. */
import type pg from 'pg';
import { isInUse, type Keys } from './postgres/known-keys.js';
import { ownKey, settleKey } from './secrets.js';

export interface KeyOptions {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly masterKey: Buffer | undefined;
  readonly signingKey?: Buffer | undefined;
}

/** Returns the configured keys, or those of the embedded database. */
export async function keysOf({ databaseUrl, dataDir, masterKey, signingKey }: KeyOptions): Promise<Keys> {
  return {
    master: masterKey ?? (await ownKey(dataDir, 'MASTER_KEY')),
    signing: signingKey ?? (databaseUrl === undefined ? await ownKey(dataDir, 'SIGNING_KEY') : undefined),
  };
}

/** Returns the same keys after it has completed an interrupted key rotation of the embedded database. */
export async function settleKeys(
  pool: pg.Pool,
  { databaseUrl, dataDir, masterKey, signingKey }: KeyOptions,
  { master, signing }: Keys,
): Promise<Keys> {
  if (databaseUrl !== undefined) return { master, signing };
  const next = (name: 'MASTER_KEY' | 'SIGNING_KEY') => settleKey(dataDir, name, (key) => isInUse(pool, name, key));
  return {
    master: masterKey ?? (await next('MASTER_KEY')) ?? master,
    signing: signingKey ?? (await next('SIGNING_KEY')) ?? signing,
  };
}
