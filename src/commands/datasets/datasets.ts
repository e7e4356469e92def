/** Decides commands on a dataset: its columns and groups. */
import {
  DATASET_PREFIX,
  DatasetArchived,
  DatasetColumnsSet,
  DatasetCreated,
  DatasetGroupAdded,
  DatasetGroupRemoved,
  DatasetGroupRenamed,
  DatasetRenamed,
  type DatasetKind,
  type Group,
} from '../../events/datasets/events.js';
import type { Column } from '../../events/datasets/columns.js';
import { DomainError } from '../core/domain-error.js';
import { entity, newEvent, type EntityCommand } from '../core/entity.js';

/** Maximum number of groups per dataset. */
const MAX_GROUPS = 100;

export type DatasetChange =
  | {
      readonly do: 'create';
      readonly code: string;
      readonly name: string;
      readonly kind: DatasetKind;
      readonly keyColumn?: string | undefined;
      readonly columns: readonly Column[];
    }
  | { readonly do: 'change'; readonly name?: string | undefined; readonly columns?: readonly Column[] | undefined }
  | { readonly do: 'archive' }
  | ({ readonly do: 'addGroup' } & Group)
  | { readonly do: 'renameGroup'; readonly group_id: string; readonly name: string }
  | { readonly do: 'removeGroup'; readonly group_id: string };

export type DatasetCommand = EntityCommand & DatasetChange & { readonly id: number };

interface DatasetState {
  name: string;
  keyColumn: string | undefined;
  columns: readonly Column[];
  readonly groups: Map<string, Group>;
}

export const datasets = entity<DatasetState, DatasetCommand>({
  name: DATASET_PREFIX,
  makes: 'create',
  notFound: 'DATASET_NOT_FOUND',
  ends: [DatasetArchived],
  initial: () => ({ name: '', keyColumn: undefined, columns: [], groups: new Map() }),
  decide(state, command) {
    const { id, business } = command;
    switch (command.do) {
      case 'create': {
        const { code, name, kind, keyColumn, columns } = command;
        return [
          newEvent(DatasetCreated, { dataset_id: id, business, code, name, kind, key_column: keyColumn }),
          newEvent(DatasetColumnsSet, { columns: [...columns] }),
        ];
      }
      case 'change': {
        const { name, columns } = command;
        if (columns) expectKept(state, columns);
        return [
          ...(name === undefined || name === state.name ? [] : [newEvent(DatasetRenamed, { name })]),
          ...(columns ? [newEvent(DatasetColumnsSet, { columns: [...columns] })] : []),
        ];
      }
      case 'archive':
        return newEvent(DatasetArchived, {});
      default:
        return groupChange(state.groups, command);
    }
  },
  evolve(state, { type, data }) {
    if (type === DatasetCreated.type) {
      state.name = data['name'] as string;
      state.keyColumn = data['key_column'] as string | undefined;
    }
    if (type === DatasetRenamed.type) state.name = data['name'] as string;
    if (type === DatasetColumnsSet.type) state.columns = data['columns'] as unknown as Column[];
    const group = data as unknown as Group;
    if (type === DatasetGroupAdded.type) state.groups.set(group.group_id, group);
    if (type === DatasetGroupRenamed.type)
      state.groups.set(group.group_id, { ...state.groups.get(group.group_id)!, name: group.name });
    if (type === DatasetGroupRemoved.type) state.groups.delete(group.group_id);
    return state;
  },
});

/** Existing records must stay valid: each column keeps its type, and personal columns stay encrypted. */
function expectKept({ keyColumn, columns }: DatasetState, wanted: readonly Column[]): void {
  for (const { code, type, personal, reference } of columns) {
    const next = wanted.find((column) => column.code === code);
    const isUnchanged = next?.type === type && next.personal === personal && next.reference === reference;
    if (!isUnchanged || (code === keyColumn && (next.hidden || !next.required)))
      throw new DomainError('COLUMN_FIXED', { column: code });
  }
}

function groupChange(
  groups: ReadonlyMap<string, Group>,
  command: Extract<DatasetChange, { readonly group_id: string }>,
) {
  const { group_id } = command;
  const known = groups.get(group_id);
  if (command.do === 'addGroup') {
    const { name, parent } = command;
    if (known?.name === name && known.parent === parent) return undefined;
    if (known) throw new DomainError('GROUP_TAKEN');
    if (parent !== undefined && !groups.has(parent)) throw new DomainError('GROUP_NOT_FOUND');
    if (groups.size >= MAX_GROUPS) throw new DomainError('DATASET_FULL');
    return newEvent(DatasetGroupAdded, { group_id, name, parent });
  }
  if (!known) throw new DomainError('GROUP_NOT_FOUND');
  if (command.do === 'renameGroup')
    return known.name === command.name ? undefined : newEvent(DatasetGroupRenamed, { group_id, name: command.name });
  if ([...groups.values()].some(({ parent }) => parent === group_id)) throw new DomainError('GROUP_IN_USE');
  return newEvent(DatasetGroupRemoved, { group_id });
}
