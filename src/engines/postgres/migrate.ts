/**
 * Applies the numbered SQL files once each, in order, under an advisory lock, so that processes may start concurrently.
 */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { packageRoot } from '../package-root.js';
import { StartupError } from '../startup-error.js';

const LOCK = '7305541260174000';

/** Migrates the database; returns the names of the applied files. Throws if the database is newer than the code. */
export async function migrate(pool: pg.Pool, folder = join(packageRoot, 'src/engines/migrations')): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(
      'create table if not exists public.migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    const applied = new Set(
      (await client.query<{ name: string }>('select name from public.migrations')).rows.map((row) => row.name),
    );
    const unknown = [...applied].filter((name) => !files.includes(name));
    if (unknown.length > 0)
      throw new StartupError(`The database is newer than this version of the service: it has ${unknown.join(', ')}.`);
    const missing = files.filter((name) => !applied.has(name));
    for (const name of missing) {
      const sql = await readFile(join(folder, name), 'utf8');
      await client.query(`begin; ${sql}; insert into public.migrations (name) values ('${name}'); commit`);
    }
    return missing;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
    client.release();
  }
}

/** Names of the applied migrations, in order. */
export async function appliedMigrations(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from public.migrations order by name');
  return rows.map(({ name }) => name);
}
