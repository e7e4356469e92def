/** The read model of providers: rights, and the table that turns raw statuses into OTEP codes. */
import { PROVIDER_PREFIX, type StatusMapping } from '../../events/providers/events.js';
import type { SourceType } from '../../events/otep/model.js';
import type { Projection } from '../core/projection.js';

export interface ProviderRow {
  readonly id: string;
  name: string;
  kind: SourceType;
  may_open: boolean;
  mapping: StatusMapping;
  revision: number;
}

export const providers: Projection<ProviderRow> = {
  name: 'providers',
  version: 1,
  prefixes: [PROVIDER_PREFIX],
  tables: `
    create table :schema.providers (
      id       text collate "C" primary key,
      name     text not null,
      kind     text not null,
      may_open boolean not null,
      mapping  json not null,
      revision integer not null
    );`,
  keyOf: (event) => event.stream.slice(PROVIDER_PREFIX.length),
  rowPerStream: true,

  fold(row, event) {
    const before = row ?? {
      id: event.stream.slice(PROVIDER_PREFIX.length),
      name: '',
      kind: 'carrier',
      may_open: false,
      mapping: [],
      revision: 0,
    };
    const data = event.data as Partial<ProviderRow>;
    if (event.type === 'ProviderRegistered')
      return { ...before, name: data.name!, kind: data.kind!, may_open: data.may_open!, revision: event.revision };
    if (event.type === 'StatusMappingSet') return { ...before, mapping: data.mapping!, revision: event.revision };
    return { ...before, revision: event.revision };
  },

  async load(db, schema, keys) {
    const { rows } = await db.query<ProviderRow>(`select * from ${schema}.providers where id = any ($1)`, [keys]);
    return new Map(rows.map((row) => [row.id, row]));
  },

  async save(db, schema, changed) {
    await db.query(
      `insert into ${schema}.providers select * from json_populate_recordset(null::${schema}.providers, $1)
       on conflict (id) do update set name = excluded.name, kind = excluded.kind, may_open = excluded.may_open, mapping = excluded.mapping, revision = excluded.revision`,
      [JSON.stringify([...changed.values()])],
    );
  },
};

declare module '../core/projection.js' {
  interface ReadModels {
    providers: true;
  }
}
