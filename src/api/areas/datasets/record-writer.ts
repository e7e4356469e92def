/**
 * Writes records. Deciders see personal data only encrypted, so the command contains the current personal values in
 * plaintext. If the record changes in the meantime, they are read again from the log.
 */
import type { KnownRecord, RecordCommand, RecordReply } from '../../../commands/datasets/records.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Cause, Handle, Handled } from '../../../commands/core/handle.js';
import { recordStream } from '../../../events/datasets/events.js';
import type { DatasetRow } from '../../../projections/datasets/datasets.js';
import type { PersonalOf } from '../../../projections/datasets/history.js';
import type { RecordQueries } from '../../../projections/datasets/queries.js';

export type PutCommand = Extract<RecordCommand, { readonly do: 'put' }>;

export interface RecordWriterOptions {
  readonly handle: Handle<RecordCommand, RecordReply>;
  readonly records: Pick<RecordQueries, 'present'>;
  readonly personalOf: PersonalOf;
}

/** Maximum number of retries after concurrent changes of the record. */
const MAX_RETRIES = 5;

export type RecordWriter = ReturnType<typeof createRecordWriter>;

export function createRecordWriter({ handle, records, personalOf }: RecordWriterOptions) {
  return {
    /** Current values of the existing records among these; empty if the dataset has no personal columns. */
    known: async ({ columns }: DatasetRow, uuids: readonly string[]): Promise<ReadonlyMap<string, KnownRecord>> =>
      columns.some(({ personal }) => personal) ? await records.present(uuids) : new Map<string, KnownRecord>(),

    /** Writes a record. Throws the errors of the decider. */
    async put(command: PutCommand, cause: Cause): Promise<Handled<RecordReply>> {
      let { known } = command;
      for (let attempt = 0; ; attempt++)
        try {
          return await handle(recordStream(command.uuid), { ...command, known }, cause);
        } catch (error) {
          if (attempt === MAX_RETRIES || !isOutdated(error, command)) throw error;
          known = await personalOf(command.uuid);
        }
    },
  };
}

/** Whether only the known values were outdated, while the record still has the requested version, if any. */
const isOutdated = (error: unknown, { ifVersion }: PutCommand): boolean =>
  error instanceof DomainError &&
  error.code === 'RECORD_CHANGED' &&
  (ifVersion === undefined || ifVersion === error.params['version']);
