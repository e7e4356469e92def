/** Decides commands on a record of a dataset. The caller checks before that the values fit the columns. */
import { isDeepStrictEqual } from 'node:util';
import type { Fact } from '../../events/core/codec.js';
import { RecordPut, RecordRemoved, recordStream, type Values } from '../../events/datasets/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider, Decision } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';

export type RecordCommand = {
  /** UUID of the request and index of the record in it. A retry has the same value. */
  readonly commandId: string;
  readonly uuid: string;
  readonly business: number;
  readonly datasetId: number;
  /** The version that the caller expects; 0: the record must not exist. */
  readonly ifVersion?: number | undefined;
} & (
  | {
      readonly do: 'put';
      /** The id if the record is new. */
      readonly recordId: number;
      readonly groupId?: string | undefined;
      readonly values: Values;
      readonly personalValues?: Values | undefined;
      /** The import job that sends the record. */
      readonly importId?: string;
      /** The record must exist already. */
      readonly mustExist?: boolean;
      /** Columns that keep their current values: hidden columns, or columns that the caller omitted. */
      readonly keeps?: readonly string[];
      /** The record stays in its current group. */
      readonly keepsGroup?: boolean;
      /**
       * The decrypted personal data of the current version. The caller provides it, because the decider has no keys.
       */
      readonly known?: KnownRecord | undefined;
    }
  | { readonly do: 'remove' }
);

/** The personal data of a record at the time when the caller read it. */
export interface KnownRecord {
  readonly version: number;
  /** Undefined: the record has no personal data. */
  readonly personalValues: Values | undefined;
  /** The key of the record was destroyed, so its personal data is lost. */
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
  /** The values without personal data. */
  values: Values;
  hasPersonal: boolean;
  /** The reply by event id: a retry gets the same reply. */
  readonly done: Map<string, RecordReply>;
}

/** The values as the log stores them. */
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
  // Most records of a bulk request are new. A removal never begins a stream.
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
      // The personal data is encrypted if the event comes from the log, and plaintext if it was decided just now.
      state.hasPersonal = data['$sealed'] !== undefined || data['personal_values'] !== undefined;
    } else if (type === RecordRemoved.type)
      state.done.set(id, { recordId: state.recordId, version, outcome: 'removed' });
    state.present = type === RecordPut.type;
    state.version = version;
    return state;
  },
};

/**
 * Returns the next record, and whether it equals the current one. The decider sees personal data only in encrypted
 * form. If the result depends on it, `known` must contain the decrypted data of exactly this version. Otherwise throws
 * RECORD_CHANGED, and the caller reads the record again.
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
