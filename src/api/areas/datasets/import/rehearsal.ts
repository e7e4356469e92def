/** Dry run of an import: compares each row with the existing records and with the rows before it. */
import { createHash } from 'node:crypto';
import { configure } from 'safe-stable-stringify';
import type { Values } from '../../../../events/datasets/events.js';
import type { RecordQueries } from '../../../../projections/datasets/queries.js';
import type { GoodRow } from './check.js';
import type { ImportMode } from './mode.js';

export type Judgement = 'inserted' | 'updated' | 'unchanged' | { readonly code: string };

/** Used instead of an error code if a new record lacks required columns. */
export const LACKS = 'lacks';

export interface Judging {
  readonly mode: ImportMode;
  /** Required columns that the table does not have. */
  readonly lacks: readonly string[];
}

interface Looked {
  readonly digest: string;
  /** The personal data of the record was erased. */
  readonly erased: boolean;
}

const canonical = configure({ deterministic: true });
/** Digest of the values in the table. Columns that keep their values are not compared. */
function digestOf(group: string | undefined, values: Values, { keeps, keepsGroup }: GoodRow['put']): string {
  const told = Object.fromEntries(Object.entries(values).filter(([code]) => !keeps.includes(code)));
  return createHash('sha256')
    .update(`${keepsGroup ? '' : (group ?? '')}\n${canonical(told)}`)
    .digest('base64');
}

export function createRehearsal(queries: Pick<RecordQueries, 'present'>, { mode, lacks }: Judging) {
  /** Earlier rows of this table, by stream name. */
  const before = new Map<string, Looked>();

  return async (rows: readonly GoodRow[]): Promise<Judgement[]> => {
    const there = await queries.present(rows.map(({ uuid }) => uuid).filter((uuid) => !before.has(uuid)));
    return rows.map(({ uuid, put }): Judgement => {
      const found = there.get(uuid);
      const was =
        before.get(uuid) ??
        (found && {
          digest: digestOf(found.group, { ...found.values, ...found.personalValues }, put),
          erased: found.erased,
        });
      if (mode === 'insert' && was) return { code: 'RECORD_EXISTS' };
      if (mode === 'update' && !was) return { code: 'RECORD_NOT_FOUND' };
      if (!was && lacks.length > 0) return { code: LACKS };
      const personal = was?.erased ? {} : put.personalValues;
      const is = { digest: digestOf(put.groupId, { ...put.values, ...personal }, put), erased: was?.erased ?? false };
      before.set(uuid, is);
      return !was ? 'inserted' : was.digest === is.digest ? 'unchanged' : 'updated';
    });
  };
}
