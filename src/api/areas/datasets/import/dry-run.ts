/** Dry run of an import: compares each row with the existing records and with the rows before it. */
import { createHash } from 'node:crypto';
import { configure } from 'safe-stable-stringify';
import type { Values } from '../../../../events/datasets/events.js';
import type { RecordQueries } from '../../../../projections/datasets/queries.js';
import type { ValidRow } from './check.js';
import type { ImportMode } from './mode.js';

export type RowOutcome = 'inserted' | 'updated' | 'unchanged' | { readonly code: string };

/** Used instead of an error code if a new record lacks required columns. */
export const MISSING_COLUMNS = 'lacks';

export interface OutcomeOptions {
  readonly mode: ImportMode;
  /** Required columns that the table does not have. */
  readonly missingColumns: readonly string[];
}

interface RecordState {
  readonly digest: string;
  /** The personal data of the record was erased. */
  readonly erased: boolean;
}

const canonical = configure({ deterministic: true });
/** Digest of the values in the table. Columns that keep their values are not compared. */
function digestOf(group: string | undefined, values: Values, { keeps, keepsGroup }: ValidRow['put']): string {
  const writtenValues = Object.fromEntries(Object.entries(values).filter(([code]) => !keeps.includes(code)));
  return createHash('sha256')
    .update(`${keepsGroup ? '' : (group ?? '')}\n${canonical(writtenValues)}`)
    .digest('base64');
}

export function createDryRun(queries: Pick<RecordQueries, 'present'>, { mode, missingColumns }: OutcomeOptions) {
  /** Earlier rows of this table, by stream name. */
  const statesByUuid = new Map<string, RecordState>();

  return async (rows: readonly ValidRow[]): Promise<RowOutcome[]> => {
    const existing = await queries.present(rows.map(({ uuid }) => uuid).filter((uuid) => !statesByUuid.has(uuid)));
    return rows.map(({ uuid, put }): RowOutcome => {
      const found = existing.get(uuid);
      const previous =
        statesByUuid.get(uuid) ??
        (found && {
          digest: digestOf(found.group, { ...found.values, ...found.personalValues }, put),
          erased: found.erased,
        });
      if (mode === 'insert' && previous) return { code: 'RECORD_EXISTS' };
      if (mode === 'update' && !previous) return { code: 'RECORD_NOT_FOUND' };
      if (!previous && missingColumns.length > 0) return { code: MISSING_COLUMNS };
      const personal = previous?.erased ? {} : put.personalValues;
      const next = {
        digest: digestOf(put.groupId, { ...put.values, ...personal }, put),
        erased: previous?.erased ?? false,
      };
      statesByUuid.set(uuid, next);
      return !previous ? 'inserted' : previous.digest === next.digest ? 'unchanged' : 'updated';
    });
  };
}
