/** Queries on the audit index. Each query names a tenant, and finds only events of this tenant. */
import { sql, type Kysely, type SqlBool } from 'kysely';
import type { Position } from '../../events/core/log.js';
import type { AuditEntry } from './read-model.js';
import type { Database } from '../core/database.js';

export interface AuditFilter {
  /** Id of a business, or `PLATFORM`. */
  readonly tenant: number;
  readonly streams?: readonly string[] | undefined;
  /** Prefix of the stream names. */
  readonly prefix?: string | undefined;
  readonly type?: string | undefined;
  /** `<kind>:<id>`. */
  readonly actor?: string | undefined;
  readonly channel?: string | undefined;
  readonly correlation?: string | undefined;
  /** Recording time, UTC with milliseconds. `from` is inclusive, `before` exclusive. */
  readonly from?: string | undefined;
  readonly before?: string | undefined;
  /** Positions: `behind` is exclusive, `upTo` inclusive. */
  readonly behind?: Position | undefined;
  readonly upTo?: Position | undefined;
}

export interface AuditPage {
  readonly order: 'newest' | 'oldest';
  /** Position of the last event of the previous page. */
  readonly cursor?: Position | undefined;
  readonly limit: number;
}

export type AuditQueries = ReturnType<typeof createAuditQueries>;

export function createAuditQueries(database: Kysely<Database>) {
  return {
    async find(
      { tenant, streams, prefix, type, actor, channel, correlation, from, before, behind, upTo }: AuditFilter,
      { order, cursor, limit }: AuditPage,
    ): Promise<readonly AuditEntry[]> {
      if (streams?.length === 0) return [];
      let query = database.selectFrom('audit_index.events').selectAll().where('tenant', '=', tenant);
      if (streams !== undefined) query = query.where('stream', 'in', streams);
      if (prefix !== undefined) query = query.where('stream', '>=', prefix).where('stream', '<', endOf(prefix));
      if (type !== undefined) query = query.where('type', '=', type);
      if (actor !== undefined) query = query.where('actor', '=', actor);
      if (channel !== undefined) query = query.where('channel', '=', channel);
      if (correlation !== undefined) query = query.where('correlation', '=', correlation);
      if (from !== undefined) query = query.where('recorded_at', '>=', from);
      if (before !== undefined) query = query.where('recorded_at', '<', before);
      if (behind !== undefined) query = query.where('position', '>', behind);
      if (upTo !== undefined) query = query.where('position', '<=', upTo);
      if (cursor !== undefined) query = query.where('position', order === 'newest' ? '<' : '>', cursor);
      return query
        .orderBy('position', order === 'newest' ? 'desc' : 'asc')
        .limit(limit)
        .execute();
    },
    /** Whether the tenant owns the whole stream. */
    async owns(tenant: number, stream: string): Promise<boolean> {
      const found = await database
        .selectFrom('audit_index.streams')
        .select('stream')
        .where('stream', '=', stream)
        .where(sql<SqlBool>`${tenant} = any (tenants)`)
        .executeTakeFirst();
      return found !== undefined;
    },
  };
}

/** The first name after all names that begin with `prefix`. */
const endOf = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
