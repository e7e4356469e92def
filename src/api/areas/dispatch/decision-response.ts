/** Decisions as the API returns them, as JSON and as CSV. */
import { DispatchItemReopened } from '../../../events/dispatch/events.js';
import type { RecordedDecision } from '../../../projections/dispatch/queries.js';
import type { z } from 'zod';
import { csvOf } from '../../core/csv.js';
import type { decisionSchema } from './shapes.js';

export function toDecision(row: RecordedDecision): z.infer<typeof decisionSchema> {
  const { kind: _kind, decision_id, by, at, until, item, seen, ...data } = row.data as Record<string, never>;
  return {
    ...(data as object),
    ...(decision_id !== undefined && { id: decision_id }),
    decided_by: by,
    decided_at: at,
    ...(until !== undefined && { expires_at: until }),
    item_id: item,
    ...(seen !== undefined && { version: seen }),
    decision: row.type === DispatchItemReopened.type ? 'reopened' : data['decision']!,
    schedule_date: row.date,
    order_id: row.order_id,
    ...(row.facts && { facts: row.facts }),
    ...(row.note !== undefined && { note: row.note }),
  } as unknown as z.infer<typeof decisionSchema>;
}

const COLUMNS = [
  'schedule_date',
  'decided_at',
  'item_id',
  'decision',
  'decided_by',
  'expires_at',
  'operation',
  'outcome',
  'note',
  'order_id',
  'contacted',
  'took_over_from',
  'facts',
] as const;

/** The decisions as CSV, with a header. */
export const toCsv = (decisions: readonly z.infer<typeof decisionSchema>[]): string =>
  csvOf([COLUMNS, ...decisions.map((decision) => COLUMNS.map((column) => cellOf(decision, column)))]);

/** Value of a CSV cell: facts as JSON, an outcome as status and code. */
function cellOf(decision: z.infer<typeof decisionSchema>, column: (typeof COLUMNS)[number]) {
  const { outcome, facts } = decision;
  if (column === 'outcome') return outcome && [outcome.status, outcome.code].filter(Boolean).join(' ');
  if (column === 'facts') return facts && JSON.stringify(facts);
  return decision[column];
}
