/**
 * The read model of settings for a business's workers: contractors' rules, drivers' capacities and skills. The accounts
 * themselves are a separate read model.
 */
import { CONTRACTOR_PREFIX, ContractorRulesSet, type ContractorRule } from '../../events/contractors/events.js';
import {
  DRIVER_PREFIX,
  DriverCapacitySet,
  DriverSkillsSet,
  type Capacity,
  type DriverSkill,
} from '../../events/drivers/events.js';
import { integer, json, optional, type RowOf } from '../core/columns.js';
import { table } from '../core/table.js';

const columns = {
  id: integer(),
  business: integer(),
  rules: optional(json<readonly ContractorRule[]>()),
  capacity: optional(json<Capacity>()),
  skills: json<readonly DriverSkill[]>(),
  /** Revision of the last event that set one of these values; -1: there is none. */
  revision: integer(),
};
const SETTING: ReadonlySet<string> = new Set([ContractorRulesSet.type, DriverCapacitySet.type, DriverSkillsSet.type]);
export type WorkerRow = RowOf<typeof columns>;

export const workers = table({
  name: 'workers',
  version: 3,
  // A user is either a contractor or a driver, and this never changes.
  prefixes: [CONTRACTOR_PREFIX, DRIVER_PREFIX],
  columns,
  fold(row, { type, stream, data, revision }) {
    const next: WorkerRow = row ?? {
      id: Number(stream.slice(stream.indexOf('-') + 1)),
      business: data['business'] as number,
      rules: null,
      capacity: null,
      skills: [],
      revision: -1,
    };
    if (SETTING.has(type)) next.revision = revision;
    if (type === ContractorRulesSet.type) next.rules = data['rules'] as unknown as ContractorRule[];
    if (type === DriverCapacitySet.type) next.capacity = data['capacity'] as Capacity;
    if (type === DriverSkillsSet.type) next.skills = data['skills'] as unknown as DriverSkill[];
    return next;
  },
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'workers', { 'workers.workers': WorkerRow }> {}
}
