/** Rejects unknown query parameters: a misspelled parameter would otherwise have no effect without notice. */
import { segment, shown } from '../../events/otep/check/findings.js';
import { ApiError, shownName } from './errors.js';

/** Throws INVALID_INPUT with UNKNOWN_PARAMETER for each name that is not among the known ones. */
export function refuseUnknown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new ApiError('INVALID_INPUT', {
      errors: unknown.map((name) => ({
        field: shownName(name, 'query'),
        path: `/${segment(shown(name))}`,
        code: 'UNKNOWN_PARAMETER',
        params: { name: shown(name), allowed: known.join(', ') || '-' },
      })),
    });
}
