/** The scopes of files. A file is as private as what refers to it, so a token needs the same scope for both. */
import type { FileInfo, FilePurpose } from '../../../engines/files/files.js';
import { orderIdsIn } from '../../../events/orders/events.js';
import type { UserCaller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import type { Scope } from '../../core/scopes.js';

interface FileScopes {
  /** Scopes of which one is enough to download the file as its uploader. */
  readonly read: readonly Scope[];
  /** Scopes of which one is enough to upload the file. Absent: only the service creates such files. */
  readonly write?: readonly Scope[];
}

const SCOPES_BY_PURPOSE: Readonly<Record<FilePurpose, FileScopes>> = {
  // Photos become documents of drivers, or show why a parcel comes back.
  photo: { read: ['drivers:read', 'orders:read'], write: ['drivers:write', 'orders:write'] },
  // Documents become documents of drivers.
  document: { read: ['drivers:read'], write: ['drivers:write'] },
  // Tables are imported into datasets or as orders.
  import: { read: ['datasets:read', 'orders:read'], write: ['datasets:write', 'orders:write'] },
  map: { read: ['datasets:read'], write: ['datasets:write'] },
  // Labels and other documents about orders.
  issued: { read: ['orders:read'] },
};

/** Throws INSUFFICIENT_SCOPE unless the token has a scope for files of this purpose. */
export function expectFileScope(purpose: FilePurpose, access: 'read' | 'write', caller: UserCaller): void {
  expectOneScope(SCOPES_BY_PURPOSE[purpose][access] ?? [], caller);
}

/**
 * Throws INSUFFICIENT_SCOPE unless the token of the uploader has a scope for the file. A photo that is used needs the
 * scope of what refers to it.
 */
export function expectUploaderScope({ purpose, subject, used_at }: FileInfo, caller: UserCaller): void {
  if (purpose !== 'photo' || used_at === null) return expectFileScope(purpose, 'read', caller);
  expectOneScope([orderIdsIn([subject]).length > 0 ? 'orders:read' : 'drivers:read'], caller);
}

/** Throws INSUFFICIENT_SCOPE unless the token has one of the scopes. */
export function expectOneScope(scopes: readonly Scope[], { scopes: granted }: UserCaller): void {
  if (scopes.some((scope) => granted.has(scope))) return;
  throw new ApiError('INSUFFICIENT_SCOPE', { params: { scopes: scopes.join(' ') } });
}
