/**
 * TypeScript types of the read model tables that have many kinds of queries. These queries are built with Kysely
 * instead of written as SQL text.
 */
import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import type { Tables } from './projection.js';

export type Database = Tables;

/** Takes its connections from `pool` and does not close the pool. */
export const createDatabase = (pool: Pool): Kysely<Database> =>
  new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
