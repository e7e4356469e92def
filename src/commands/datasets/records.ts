/** What may happen to a record of a dataset. That its values fit the columns is checked before. */
import { isDeepStrictEqual } from 'node:util';
import type { Fact } from '../../events/core/codec.js';
import { RecordPut, RecordRemoved, recordStream, type Values } from '../../events/datasets/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider, Decision } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';

export type RecordCommand = {
  /** UUID of the request and which of its records; a retry has the same. */
  readonly commandId: string;
  readonly uuid: string;
  readonly business: number;
  readonly datasetId: number;
  /** The version that the caller knows; 0: there must be none yet. */
  readonly ifVersion?: number | undefined;
} & (
  | {
      readonly do: 'put';
      /** Of a record that is not there yet. */
      readonly recordId: number;
      readonly groupId?: string | undefined;
      readonly values: Values;
      readonly personalValues?: Values | undefined;
      /** The job that imports it. */
      readonly importId?: string;
      /** It must be there already. */
      readonly mustExist?: boolean;
      /** Columns that keep what stands there: they are hidden, or the caller says nothing of them. */
      readonly keeps?: readonly string[];
      /** It stays in its group. */
      readonly keepsGroup?: boolean;
      /** What is personal of the present version: whoever has the keys opened it. */
      readonly known?: KnownRecord | undefined;
    }
  | { readonly do: 'remove' }
);

/** What was personal of a record when it was looked at. */
export interface KnownRecord {
  readonly version: number;
  /** Undefined: nothing. */
  readonly personalValues: Values | undefined;
  /** Its key was destroyed: nothing personal is kept of it any more. */
  readonly erased: boolean;
}

export interface RecordReply {
  readonly recordId: number;
  readonly version: number;
  readonly outcome: 'inserted' | 'updated' | 'unchanged' | 'removed';
}

interface RecordState {
  business: number | undefined;
  recordId: number;
  version: number;
  present: boolean;
  groupId: string | undefined;
  /** Without what is personal. */
  values: Values;
  hasPersonal: boolean;
  /** What each event was answered with: a retry is answered the same. */
  readonly done: Map<string, RecordReply>;
}

/** As it is in the log. */
const plain = (values: Values): Values => JSON.parse(JSON.stringify(values)) as Values;

export const records: Decider<RecordState, RecordCommand, RecordReply> = {
  initial: () => ({
    business: undefined,
    recordId: 0,
    version: 0,
    present: false,
    groupId: undefined,
    values: {},
    hasPersonal: false,
    done: new Map(),
  }),
  // Most puts of a bulk are new; a removal never is.
  begins: (command) => command.do === 'put' && !command.mustExist,

  decide(state, command): Decision<RecordReply> {
    const id = derivedId('record fact', command.uuid, command.commandId);
    const answered = state.done.get(id);
    if (answered) return { facts: [], reply: answered };
    const { business, ifVersion } = command;
    const foreign = state.business !== undefined && state.business !== business;
    const needed = command.do === 'remove' || command.mustExist;
    if (foreign || (needed && !state.present)) throw new DomainError('RECORD_NOT_FOUND');
    if (ifVersion !== undefined && ifVersion !== (state.present ? state.version : 0))
      throw new DomainError('RECORD_CHANGED', { version: state.present ? state.version : 0 });
    const version = state.version + 1;
    if (command.do === 'remove')
      return {
        facts: [{ id, type: RecordRemoved as Fact['type'], data: { version } }],
        reply: { recordId: state.recordId, version, outcome: 'removed' },
      };
    const { importId } = command;
    const { groupId, values, personalValues, isSame } = nextOf(state, command);
    if (isSame) return { facts: [], reply: { recordId: state.recordId, version: state.version, outcome: 'unchanged' } };
    const recordId = state.version > 0 ? state.recordId : command.recordId;
    const data = {
      record_id: recordId,
      business,
      dataset_id: command.datasetId,
      group_id: groupId,
      version,
      values,
      personal_values: personalValues,
      import_id: importId,
    };
    return {
      facts: [{ id, type: RecordPut as Fact['type'], data, subject: recordStream(command.uuid) }],
      reply: { recordId, version, outcome: state.present ? 'updated' : 'inserted' },
    };
  },

  evolve(state, { type, id, data }) {
    const version = data['version'] as number;
    if (type === RecordPut.type) {
      state.done.set(id, {
        recordId: data['record_id'] as number,
        version,
        outcome: state.present ? 'updated' : 'inserted',
      });
      state.business = data['business'] as number;
      state.recordId = data['record_id'] as number;
      state.groupId = data['group_id'] as string | undefined;
      state.values = plain(data['values'] as Values);
      // Sealed where it comes from the log, open where it was decided just now.
      state.hasPersonal = data['$sealed'] !== undefined || data['personal_values'] !== undefined;
    } else if (type === RecordRemoved.type)
      state.done.set(id, { recordId: state.recordId, version, outcome: 'removed' });
    state.present = type === RecordPut.type;
    state.version = version;
    return state;
  },
};

/**
 * The record as it is to be, and whether it is that already. What is personal stands sealed here: where the answer hangs
 * on it, it must have been opened of this very version. Throws RECORD_CHANGED where it was not: look again.
 */
function nextOf(state: RecordState, command: Extract<RecordCommand, { readonly do: 'put' }>) {
  const { known } = command;
  const keeps = state.present ? (command.keeps ?? []) : [];
  const values = { ...picked(state.values, keeps), ...command.values };
  const groupId = state.present && command.keepsGroup ? state.groupId : command.groupId;
  const isSame = state.present && groupId === state.groupId && isDeepStrictEqual(state.values, plain(values));
  const next = { groupId, values, personalValues: command.personalValues };
  if (!state.present || !state.hasPersonal) return { ...next, isSame: isSame && next.personalValues === undefined };
  if (!isSame && keeps.length === 0) return { ...next, isSame };
  if (known?.version !== state.version) throw new DomainError('RECORD_CHANGED', { version: state.version });
  if (known.erased) return { ...next, isSame };
  const before = known.personalValues ?? {};
  const personal = { ...picked(before, keeps), ...next.personalValues };
  return {
    ...next,
    personalValues: Object.keys(personal).length > 0 ? personal : undefined,
    isSame: isSame && isDeepStrictEqual(plain(before), plain(personal)),
  };
}

const picked = (values: Values, columns: readonly string[]): Values =>
  Object.fromEntries(columns.flatMap((column) => (column in values ? [[column, values[column]]] : [])));
