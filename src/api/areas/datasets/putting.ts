/**
 * Puts records. Deciders see what is personal sealed, so a put brings what it is by now, opened; where the record was
 * changed meanwhile it is looked up anew, in the log.
 */
import type { KnownRecord, RecordCommand, RecordReply } from '../../../commands/datasets/records.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Cause, Handle, Handled } from '../../../commands/core/handle.js';
import { recordStream } from '../../../events/datasets/events.js';
import type { DatasetRow } from '../../../projections/datasets/datasets.js';
import type { PersonalOf } from '../../../projections/datasets/history.js';
import type { RecordQueries } from '../../../projections/datasets/queries.js';

export type PutCommand = Extract<RecordCommand, { readonly do: 'put' }>;

export interface PuttingOptions {
  readonly handle: Handle<RecordCommand, RecordReply>;
  readonly records: Pick<RecordQueries, 'present'>;
  readonly personalOf: PersonalOf;
}

/** Others change the record this often between the look and the put, and no more. */
const MOST_LOOKS = 5;

export type Putting = ReturnType<typeof createPutting>;

export function createPutting({ handle, records, personalOf }: PuttingOptions) {
  return {
    /** What is known of those of these records that are there; nothing, where the dataset has nothing personal. */
    known: async ({ columns }: DatasetRow, uuids: readonly string[]): Promise<ReadonlyMap<string, KnownRecord>> =>
      columns.some(({ personal }) => personal) ? await records.present(uuids) : new Map<string, KnownRecord>(),

    /** Throws as the decider does. */
    async put(command: PutCommand, cause: Cause): Promise<Handled<RecordReply>> {
      let { known } = command;
      for (let looks = 0; ; looks++)
        try {
          return await handle(recordStream(command.uuid), { ...command, known }, cause);
        } catch (error) {
          if (looks === MOST_LOOKS || !isOvertaken(error, command)) throw error;
          known = await personalOf(command.uuid);
        }
    },
  };
}

/** Whether the record is at the version that is meant, if any, and only what was known of it is not. */
const isOvertaken = (error: unknown, { ifVersion }: PutCommand): boolean =>
  error instanceof DomainError &&
  error.code === 'RECORD_CHANGED' &&
  (ifVersion === undefined || ifVersion === error.params['version']);
