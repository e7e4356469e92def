/** The tables of read models that are asked in many ways, as types: questions are built, not written. */
import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import type { Tables } from './projection.js';

export type Database = Tables;

/** Takes its connections from `pool`, and does not end it. */
export const createDatabase = (pool: Pool): Kysely<Database> =>
  new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
