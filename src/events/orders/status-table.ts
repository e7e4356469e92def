/** Returns the table of statuses as Markdown, for docs/orders.md. */
import { ORDER_STATUSES, STATUS_OF_CODE } from './status.js';

export function statusTable(): string {
  const codes = (status: string): string =>
    Object.entries(STATUS_OF_CODE)
      .filter(([, to]) => to === status)
      .map(([code]) => `\`${code}\``)
      .join(', ') || '-';
  const yes = (is: boolean): string => (is ? 'yes' : '');
  const rows = ORDER_STATUSES.map(
    ({ id, status, meaning, dispatchable, final, exception, next }) =>
      `| ${id} | \`${status}\` | ${meaning} | ${yes(dispatchable)} | ${yes(!final)} | ${yes(exception)} | ${codes(status)} | ${next.join(', ') || 'none'} |`,
  );
  return [
    '| `order_status_id` | status | meaning | can be dispatched, held | can be cancelled | exception | OTEP scans that lead to it | next statuses |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
