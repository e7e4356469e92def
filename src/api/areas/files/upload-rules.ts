/** The roles that may upload files of a purpose, and the errors of exceeded quotas. */
import type { UserRole } from '../../../events/accounts/events.js';
import { UploadQuotaExceeded, type FilePurpose } from '../../../engines/files/files.js';
import { userOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';

/** Roles that may upload files of a purpose. Purposes that are not listed are open to all roles. */
const ROLES: Partial<Readonly<Record<FilePurpose, readonly UserRole[]>>> = { import: ['client_admin', 'employee'] };

/** Unreferenced files are removed after a day, so the client should wait long. */
const RETRY_SECONDS = '3600';

/** Throws PURPOSE_FORBIDDEN. */
export function expectPurpose(purpose: FilePurpose, caller: Caller): void {
  const roles = ROLES[purpose];
  if (roles && !roles.includes(userOf(caller).role as UserRole))
    throw new ApiError('PURPOSE_FORBIDDEN', { params: { purpose, roles: roles.join(', ') } });
}

/** TOO_MANY_FILES or UPLOAD_QUOTA_EXCEEDED for an exceeded quota; other errors unchanged. */
export function quotaErrorOf(error: unknown): unknown {
  if (!(error instanceof UploadQuotaExceeded)) return error;
  const { limit, max, scope } = error;
  const params = { max, scope };
  const code = limit === 'bytes' ? 'UPLOAD_QUOTA_EXCEEDED' : 'TOO_MANY_FILES';
  return new ApiError(code, { params, headers: { 'Retry-After': RETRY_SECONDS }, cause: error });
}
