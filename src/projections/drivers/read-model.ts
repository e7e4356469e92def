/**
 * The read model of what is set of a business's workers: contractors' rules and drivers' capacities. Who they are is
 * asked of the accounts.
 */
import { CONTRACTOR_PREFIX, ContractorRulesSet, type ContractorRule } from '../../events/contractors/events.js';
import { DRIVER_PREFIX, DriverCapacitySet, type Capacity } from '../../events/drivers/events.js';
import { integer, json, optional, type RowOf } from '../core/columns.js';
import { table } from '../core/table.js';

const columns = {
  id: integer(),
  business: integer(),
  rules: optional(json<readonly ContractorRule[]>()),
  capacity: optional(json<Capacity>()),
};
export type WorkerRow = RowOf<typeof columns>;

export const workers = table({
  name: 'workers',
  version: 1,
  // A person is the one or the other, for ever.
  prefixes: [CONTRACTOR_PREFIX, DRIVER_PREFIX],
  columns,
  fold(row, { type, stream, data }) {
    const next: WorkerRow = row ?? {
      id: Number(stream.slice(stream.indexOf('-') + 1)),
      business: data['business'] as number,
      rules: null,
      capacity: null,
    };
    if (type === ContractorRulesSet.type) next.rules = data['rules'] as unknown as ContractorRule[];
    if (type === DriverCapacitySet.type) next.capacity = data['capacity'] as Capacity;
    return next;
  },
});

declare module '../core/projection.js' {
  interface ReadModels {
    workers: true;
  }
  interface Tables {
    'workers.workers': WorkerRow;
  }
}
