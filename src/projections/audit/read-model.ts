/**
 * The audit index: the tenants of each event, and its searchable members. The event itself is read from the log. Only
 * events of a business or of the platform have rows. Scans of carriers' own parcels are most of the log; they cost one
 * lookup per batch.
 */
import type { JsonObject, Position, StoredEvent } from '../../events/core/log.js';
import { arrayOf, insertRows, type Types } from '../../sql/rows.js';
import type { Projection } from '../core/projection.js';
import { actingBusiness, PLATFORM, tenantsOf, type Tenancy } from './tenants.js';

export { PLATFORM };

export interface AuditEntry {
  readonly tenant: number;
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  /** `<kind>:<id>`. */
  readonly actor: string;
  readonly channel: string;
  readonly correlation: string;
  readonly causation: string | null;
  readonly recorded_at: string;
}

export interface AuditStream {
  readonly stream: string;
  /** The tenants of the stream, from its first event: ids of businesses, or `PLATFORM`. */
  readonly tenants: readonly number[];
  /** The stream is not in the table yet. */
  readonly fresh: boolean;
  /** Only the entries of the current batch, not the entries in the tables. */
  readonly entries: AuditEntry[];
}

/** `streams`: the streams of all areas, with their tenant rules. */
export const auditIndex = (streams: readonly Tenancy[]): Projection<AuditStream> => ({
  name: 'audit_index',
  version: 1,
  prefixes: streams.filter(({ tenant }) => tenant !== 'nobody').map(({ prefix }) => prefix),
  tables: `
    create table :schema.streams (
      stream  text collate "C" primary key,
      tenants integer[] not null
    );
    create table :schema.events (
      tenant      integer not null,
      position    text collate "C" not null,
      stream      text collate "C" not null,
      revision    integer not null,
      id          uuid not null,
      type        text collate "C" not null,
      actor       text collate "C" not null,
      channel     text collate "C" not null,
      correlation text collate "C" not null,
      causation   text collate "C",
      recorded_at text collate "C" not null,
      primary key (tenant, position)
    );
    create index on :schema.events (tenant, stream, position);
    create index on :schema.events (tenant, actor, position);
    create index on :schema.events (correlation);`,
  keyOf: (event) => event.stream,
  rowPerStream: true,
  background: 5_000,
  fold: foldAudit(new Map(streams.map((family) => [family.prefix, family]))),

  async load(db, schema, keys) {
    const { rows } = await db.query<Pick<AuditStream, 'stream' | 'tenants'>>({
      text: `select stream, tenants from ${schema}.streams where stream = any ($1)`,
      values: [keys],
    });
    return new Map(rows.map((row) => [row.stream, { ...row, fresh: false, entries: [] }]));
  },

  async save(db, schema, changed) {
    const rows = [...changed.values()];
    const streams = rows.filter(({ fresh, tenants }) => fresh && tenants.length > 0);
    await Promise.all([
      streams.length > 0 &&
        db.query(
          `insert into ${schema}.streams (stream, tenants) select stream, tenants::integer[] from unnest($1::text[], $2::text[]) as n (stream, tenants) on conflict do nothing`,
          [
            arrayOf(
              'text',
              streams.map(({ stream }) => stream),
            ),
            arrayOf(
              'text',
              streams.map(({ tenants }) => `{${tenants.join()}}`),
            ),
          ],
        ),
      insertRows(
        db,
        `${schema}.events`,
        ENTRY,
        rows.flatMap((row) => row.entries),
      ),
    ]);
  },
});

const ENTRY = {
  tenant: 'integer',
  position: 'text',
  stream: 'text',
  revision: 'integer',
  id: 'uuid',
  type: 'text',
  actor: 'text',
  channel: 'text',
  correlation: 'text',
  causation: 'text',
  recorded_at: 'text',
} as const satisfies Types;

const foldAudit =
  (rules: ReadonlyMap<string, Tenancy>) =>
  (row: AuditStream | undefined, event: StoredEvent): AuditStream => {
    const next = row ?? {
      stream: event.stream,
      tenants: event.revision === 0 ? tenantsOf(event, ruleOf(rules, event)) : [],
      fresh: event.revision === 0,
      entries: [],
    };
    const seenBy = next.tenants.length > 0 ? next.tenants : actingBusiness(event);
    for (const tenant of seenBy) next.entries.push(entryOf(event, tenant));
    return next;
  };

const ruleOf = (rules: ReadonlyMap<string, Tenancy>, { stream }: StoredEvent): Tenancy =>
  rules.get(stream.slice(0, stream.indexOf('-') + 1)) ?? { prefix: '', tenant: 'actor' };

function entryOf({ position, stream, revision, id, type, metadata }: StoredEvent, tenant: number): AuditEntry {
  const actor = (metadata['actor'] ?? {}) as JsonObject & {
    readonly kind?: string;
    readonly id?: string;
    readonly channel?: string;
  };
  return {
    tenant,
    position,
    stream,
    revision,
    id,
    type,
    actor: `${actor.kind ?? 'system'}:${actor.id ?? ''}`,
    channel: actor.channel ?? 'system',
    correlation: String(metadata['$correlationId'] ?? ''),
    causation: metadata['$causationId'] === undefined ? null : String(metadata['$causationId']),
    recorded_at: String(metadata['recorded_at'] ?? ''),
  };
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<
    'audit_index',
    { 'audit_index.events': AuditEntry; 'audit_index.streams': Pick<AuditStream, 'stream' | 'tenants'> }
  > {}
}
