/** The read model of businesses. */
import { sequence } from '../core/sequence.js';
import { BUSINESS_PREFIX } from '../../events/businesses/events.js';
import type { Projection } from '../core/projection.js';

/** Ids of businesses. */
export const BUSINESS_IDS = sequence('businesses', { readModel: 'businesses', table: 'businesses.businesses' });

export interface BusinessRow {
  readonly id: number;
  code: string;
  name: string;
  timezone: string;
  modules: string[];
  revision: number;
  recorded_at: string;
}

export const businesses: Projection<BusinessRow> = {
  name: 'businesses',
  version: 1,
  prefixes: [BUSINESS_PREFIX],
  tables: `
    create table :schema.businesses (
      id          integer primary key,
      code        text collate "C" not null,
      name        text not null,
      timezone    text not null,
      modules     text[] not null,
      revision    integer not null,
      recorded_at text not null
    );
    create index on :schema.businesses (code);`,
  keyOf: (event) => event.stream.slice(BUSINESS_PREFIX.length),
  rowPerStream: true,

  fold(row, event) {
    const before = row ?? {
      id: Number(event.stream.slice(BUSINESS_PREFIX.length)),
      code: '',
      name: '',
      timezone: 'UTC',
      modules: [],
      revision: 0,
      recorded_at: '',
    };
    const data = event.data as { code?: string; name?: string; timezone?: string; module?: string; on?: boolean };
    const next = { ...before, revision: event.revision, recorded_at: event.metadata['recorded_at'] as string };
    if (event.type === 'BusinessRegistered')
      return { ...next, code: data.code!, name: data.name!, timezone: data.timezone! };
    if (event.type === 'ModuleSwitched')
      return {
        ...next,
        modules: [
          ...next.modules.filter((module) => module !== data.module),
          ...(data.on ? [data.module!] : []),
        ].sort(),
      };
    return next;
  },

  async load(db, schema, keys) {
    const { rows } = await db.query<BusinessRow>(`select * from ${schema}.businesses where id = any ($1)`, [keys]);
    return new Map(rows.map((row) => [String(row.id), row]));
  },

  async save(db, schema, changed) {
    await db.query(
      `insert into ${schema}.businesses select * from json_populate_recordset(null::${schema}.businesses, $1)
       on conflict (id) do update set code = excluded.code, name = excluded.name, timezone = excluded.timezone, modules = excluded.modules, revision = excluded.revision, recorded_at = excluded.recorded_at`,
      [JSON.stringify([...changed.values()])],
    );
  },
};

declare module '../core/projection.js' {
  interface ReadModels {
    businesses: true;
  }
}
