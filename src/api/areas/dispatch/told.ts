/** A decision as it is told, as JSON and as a line of a table. */
import { DispatchItemReopened } from '../../../events/dispatch/events.js';
import type { RecordedDecision } from '../../../projections/dispatch/queries.js';
import type { z } from 'zod';
import type { decisionSchema } from './shapes.js';

export function toDecision(row: RecordedDecision): z.infer<typeof decisionSchema> {
  const { kind: _kind, ...data } = row.data as Record<string, never>;
  return {
    ...(data as object),
    decision: row.type === DispatchItemReopened.type ? 'reopened' : data['decision']!,
    date: row.date,
    order_id: row.order_id,
    ...(row.facts && { facts: row.facts }),
    ...(row.note !== undefined && { note: row.note }),
  } as z.infer<typeof decisionSchema>;
}

const COLUMNS = ['date', 'at', 'item', 'decision', 'by', 'until', 'operation', 'outcome', 'note'] as const;

/** RFC 4180. What a spreadsheet would take for a formula begins with an apostrophe. */
export function toCsv(decisions: readonly z.infer<typeof decisionSchema>[]): string {
  const cell = (value: unknown): string => {
    const text = value === undefined || value === null ? '' : String(value as string | number);
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const lines = decisions.map(({ outcome, ...decision }) =>
    COLUMNS.map((column) =>
      cell(
        column === 'outcome' ? outcome && [outcome.status, outcome.code].filter(Boolean).join(' ') : decision[column],
      ),
    ).join(','),
  );
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}
