/** The read model of return reasons, and its queries. One row per business; the seed is not stored. */
import type { Kysely } from 'kysely';
import type { StoredEvent } from '../../events/core/log.js';
import {
  RETURN_REASONS_PREFIX,
  ReturnReasonRetired,
  ReturnReasonSet,
  type ReturnReason,
} from '../../events/return-reasons/events.js';
import { SEED } from '../../events/return-reasons/seed.js';
import { integer, json, type RowOf } from '../core/columns.js';
import type { Database } from '../core/database.js';
import { table } from '../core/table.js';

const columns = {
  business: integer(),
  /** The reasons that the business has set, by code. */
  reasons: json<Readonly<Record<string, ReturnReason>>>(),
  retired: json<readonly string[]>(),
  revision: integer(),
};
type ReturnReasonsRow = RowOf<typeof columns>;

export const returnReasons = table({
  name: 'return_reasons',
  version: 1,
  prefixes: [RETURN_REASONS_PREFIX],
  columns,
  key: 'business',
  fold(row, { type, data, revision }: StoredEvent): ReturnReasonsRow {
    const { business, ...reason } = data as unknown as ReturnReason & { readonly business: number };
    const { reasons = {}, retired = [] } = row ?? {};
    return {
      business,
      reasons: type === ReturnReasonSet.type ? { ...reasons, [reason.code]: reason } : reasons,
      retired: type === ReturnReasonRetired.type ? [...retired, reason.code] : retired,
      revision,
    };
  },
});

/** A reason of a business. */
export interface KnownReason extends ReturnReason {
  readonly isRetired: boolean;
}

export type ReturnReasonQueries = ReturnType<typeof createReturnReasonQueries>;

export function createReturnReasonQueries(database: Kysely<Database>) {
  /** All reasons of the business, including retired reasons, in the order of the list. */
  async function of(business: number): Promise<readonly KnownReason[]> {
    const row = await database
      .selectFrom('return_reasons.return_reasons')
      .where('business', '=', business)
      .select(['reasons', 'retired'])
      .executeTakeFirst();
    const reasons = new Map(SEED.map((reason) => [reason.code, reason]));
    for (const [code, reason] of Object.entries(row?.reasons ?? {})) reasons.set(code, reason);
    const retired = new Set(row?.retired);
    return [...reasons.values()]
      .map((reason) => ({ ...reason, isRetired: retired.has(reason.code) }))
      .sort((a, b) => a.sort - b.sort || (a.code < b.code ? -1 : 1));
  }
  return {
    of,
    /** The reason with this code, if a return may have it now. */
    async usable(business: number, code: string): Promise<KnownReason | undefined> {
      return (await of(business)).find((reason) => reason.code === code && reason.active && !reason.isRetired);
    },
  };
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<'return_reasons', { 'return_reasons.return_reasons': ReturnReasonsRow }> {}
}
