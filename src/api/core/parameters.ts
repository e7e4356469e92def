/** Rejects unknown query parameters: a misspelled parameter would otherwise have no effect without notice. */
import { ApiError, shownName } from './errors.js';

/** Throws INVALID_INPUT with UNKNOWN_PARAMETER for each name that is not among the known ones. */
export function refuseUnknown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new ApiError('INVALID_INPUT', {
      errors: unknown.map((name) => ({
        field: shownName(name, 'query'),
        path: '',
        code: 'UNKNOWN_PARAMETER',
        params: { allowed: known.join(', ') || '-' },
      })),
    });
}
