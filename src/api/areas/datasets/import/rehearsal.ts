/** What an import would do: each row judged against what is there, and against the rows before it. */
import { createHash } from 'node:crypto';
import { configure } from 'safe-stable-stringify';
import type { Values } from '../../../../events/datasets/events.js';
import type { RecordQueries } from '../../../../projections/datasets/queries.js';
import type { GoodRow } from './check.js';
import type { ImportMode } from './mode.js';

export type Judgement = 'inserted' | 'updated' | 'unchanged' | { readonly code: string };

/** Instead of a code: a new record has not all columns that it must have. */
export const LACKS = 'lacks';

export interface Judging {
  readonly mode: ImportMode;
  /** Columns that a new record must have, and the table has not. */
  readonly lacks: readonly string[];
}

interface Looked {
  readonly digest: string;
  /** Nothing personal of it is kept any more. */
  readonly erased: boolean;
}

const canonical = configure({ deterministic: true });
/** Of what the rows say; what a record keeps anyway is not compared. */
function digestOf(group: string | undefined, values: Values, { keeps, keepsGroup }: GoodRow['put']): string {
  const told = Object.fromEntries(Object.entries(values).filter(([code]) => !keeps.includes(code)));
  return createHash('sha256')
    .update(`${keepsGroup ? '' : (group ?? '')}\n${canonical(told)}`)
    .digest('base64');
}

export function createRehearsal(queries: Pick<RecordQueries, 'present'>, { mode, lacks }: Judging) {
  /** Of this table, by their streams. */
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
