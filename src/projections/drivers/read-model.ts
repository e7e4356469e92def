/**
 * The read model of what is set of a business's workers: contractors' rules and drivers' capacities. Who they are is
 * asked of the accounts.
 */
import { CONTRACTOR_PREFIX, ContractorRulesSet, type ContractorRule } from '../../events/contractors/events.js';
import { DRIVER_PREFIX, DriverCapacitySet, type Capacity } from '../../events/drivers/events.js';
import type { Projection } from '../core/projection.js';

export interface WorkerRow {
  readonly id: number;
  business: number;
  rules: readonly ContractorRule[] | null;
  capacity: Capacity | null;
}

const idOf = (stream: string): string => stream.slice(stream.lastIndexOf('-') + 1);

export const workers: Projection<WorkerRow> = {
  name: 'workers',
  version: 1,
  prefixes: [CONTRACTOR_PREFIX, DRIVER_PREFIX],
  tables: `
    create table :schema.workers (
      id       integer primary key,
      business integer not null,
      rules    json,
      capacity json
    );`,
  keyOf: (event) => idOf(event.stream),
  // A person is the one or the other, for ever.
  rowPerStream: true,

  fold(row, event) {
    const next = row ?? {
      id: Number(idOf(event.stream)),
      business: event.data['business'] as number,
      rules: null,
      capacity: null,
    };
    if (event.type === ContractorRulesSet.type) next.rules = event.data['rules'] as unknown as ContractorRule[];
    if (event.type === DriverCapacitySet.type) next.capacity = event.data['capacity'] as Capacity;
    return next;
  },

  async load(db, schema, keys) {
    const { rows } = await db.query<WorkerRow>(`select * from ${schema}.workers where id = any ($1)`, [keys]);
    return new Map(rows.map((row) => [String(row.id), row]));
  },

  async save(db, schema, changed) {
    await db.query(
      `insert into ${schema}.workers select * from json_populate_recordset(null::${schema}.workers, $1) on conflict (id) do update set rules = excluded.rules, capacity = excluded.capacity`,
      [JSON.stringify([...changed.values()])],
    );
  },
};

declare module '../core/projection.js' {
  interface ReadModels {
    workers: true;
  }
}
