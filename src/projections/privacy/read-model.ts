/** The read model of erasures: which keys must not exist, and which of it is not done yet. */
import { ERASURE_PREFIX, KeysDestroyed, SubjectErased, type SubjectKind } from '../../events/privacy/events.js';
import type { Projection } from '../core/projection.js';

export interface ErasureRow {
  readonly subject: string;
  kind: SubjectKind;
  business: number | null;
  keys: string[];
  erased_at: string;
  /** Null while keys are left. */
  finished_at: string | null;
}

export const erasures: Projection<ErasureRow> = {
  name: 'erasures',
  version: 1,
  prefixes: [ERASURE_PREFIX],
  tables: `
    create table :schema.erasures (
      subject     text collate "C" primary key,
      kind        text not null,
      business    integer,
      keys        text[] not null,
      erased_at   text not null,
      finished_at text
    );
    create index on :schema.erasures (erased_at) where finished_at is null;`,
  keyOf: (event) => event.stream.slice(ERASURE_PREFIX.length),
  rowPerStream: true,

  fold(row, event) {
    const recorded_at = event.metadata['recorded_at'] as string;
    const data = event.data as unknown as {
      readonly kind: SubjectKind;
      readonly business?: number;
      readonly keys: readonly string[];
    };
    const before = row ?? {
      subject: event.stream.slice(ERASURE_PREFIX.length),
      kind: data.kind,
      business: data.business ?? null,
      keys: [],
      erased_at: recorded_at,
      finished_at: null,
    };
    const next = { ...before, keys: [...new Set([...before.keys, ...data.keys])] };
    if (event.type === SubjectErased.type) return { ...next, erased_at: recorded_at, finished_at: null };
    return event.type === KeysDestroyed.type ? { ...next, finished_at: recorded_at } : next;
  },

  async load(db, schema, keys) {
    const { rows } = await db.query<ErasureRow>(`select * from ${schema}.erasures where subject = any ($1)`, [keys]);
    return new Map(rows.map((row) => [row.subject, row]));
  },

  async save(db, schema, changed) {
    await db.query(
      `insert into ${schema}.erasures select * from json_populate_recordset(null::${schema}.erasures, $1)
       on conflict (subject) do update set keys = excluded.keys, erased_at = excluded.erased_at, finished_at = excluded.finished_at`,
      [JSON.stringify([...changed.values()])],
    );
  },
};

declare module '../core/projection.js' {
  interface ReadModels {
    erasures: true;
  }
}
