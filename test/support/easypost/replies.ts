/** Responses of the double. */
import type { Item } from './store.js';

export interface Reply {
  readonly status: number;
  readonly json: unknown;
}

export const ok = (json: unknown, status = 200): Reply => ({ status, json });
export const failed = (status: number, code: string, message: string, errors: readonly unknown[] = []): Reply => ({
  status,
  json: { error: { code, message, errors } },
});
export const NOT_FOUND = failed(404, 'NOT_FOUND', 'The requested resource could not be found.');

/** An object without the members of the double itself. */
export const shown = (item: Item): unknown =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !name.startsWith('_')));

/** A page of a list, newest first. */
export function page(name: string, items: readonly Item[], query: URLSearchParams): Reply {
  const size = Math.min(Math.max(Number(query.get('page_size') ?? '20'), 1), 100);
  const newest = items.toReversed();
  const before = query.get('before_id');
  const start = before === null ? 0 : newest.findIndex(({ id }) => id === before) + 1;
  const listed = newest.slice(start, start + size);
  return ok({ [name]: listed.map(shown), has_more: start + size < newest.length });
}
