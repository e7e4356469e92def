/** What an import would do: each row judged against what is there, and against the rows before it. */
import { createHash } from 'node:crypto';
import { configure } from 'safe-stable-stringify';
import type { RecordQueries } from '../../../../projections/datasets/queries.js';
import type { GoodRow } from './check.js';
import type { ImportMode } from './mode.js';

export type Judgement = 'inserted' | 'updated' | 'unchanged' | { readonly code: string };

const canonical = configure({ deterministic: true });
/** Undefined: it holds something personal, which is sealed and may be another one each time. */
const digestOf = (group: string | undefined, values: unknown, personal: boolean): string | undefined =>
  personal
    ? undefined
    : createHash('sha256')
        .update(`${group ?? ''}\n${canonical(values)}`)
        .digest('base64');

export function createRehearsal(queries: Pick<RecordQueries, 'present'>, mode: ImportMode) {
  /** Of this table, by their streams. */
  const before = new Map<string, string | undefined>();

  return async (rows: readonly GoodRow[]): Promise<Judgement[]> => {
    const there = await queries.present(rows.map(({ uuid }) => uuid).filter((uuid) => !before.has(uuid)));
    return rows.map(({ uuid, put }): Judgement => {
      const found = there.get(uuid);
      const present = before.has(uuid) || found !== undefined;
      if (mode === 'insert' && present) return { code: 'RECORD_EXISTS' };
      if (mode === 'update' && !present) return { code: 'RECORD_NOT_FOUND' };
      const was = before.has(uuid) ? before.get(uuid) : found && digestOf(found.group, found.values, found.personal);
      const is = digestOf(put.groupId, put.values, put.personalValues !== undefined);
      before.set(uuid, is);
      if (!present) return 'inserted';
      return was !== undefined && was === is ? 'unchanged' : 'updated';
    });
  };
}
