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
      /** It must be there already. */
      readonly mustExist?: boolean;
    }
  | { readonly do: 'remove' }
);

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
    const { groupId, values, personalValues } = command;
    if (isSame(state, command))
      return { facts: [], reply: { recordId: state.recordId, version: state.version, outcome: 'unchanged' } };
    const recordId = state.version > 0 ? state.recordId : command.recordId;
    const data = {
      record_id: recordId,
      business,
      dataset_id: command.datasetId,
      group_id: groupId,
      version,
      values,
      personal_values: personalValues,
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

/** Personal values that are given may be other ones: what they were is sealed. */
const isSame = (
  { present, groupId, values, hasPersonal }: RecordState,
  wanted: Extract<RecordCommand, { readonly do: 'put' }>,
): boolean =>
  present &&
  !hasPersonal &&
  wanted.personalValues === undefined &&
  groupId === wanted.groupId &&
  isDeepStrictEqual(values, plain(wanted.values));
