/** What an account of EventStoreDB needs, for an operator whose account lacks it. Does not load the client library. */

/** gRPC status code PERMISSION_DENIED. */
const PERMISSION_DENIED = 7;

/** The stream that shows whether appends are allowed. It never exists. */
export const CHECKED_STREAM = 'rights-check';

/** Whether the server denied an operation to the account. */
export function isAccessDenied(error: unknown): boolean {
  const { type, code } = (error ?? {}) as { readonly type?: unknown; readonly code?: unknown };
  return type === 'access-denied' || code === PERMISSION_DENIED;
}

/**
 * One sentence for each right: how to grant it. By the documentation of EventStoreDB ("Access control lists"), only
 * `$admins` may read `$all` until `$settings` says otherwise.
 */
export const ACCESS_NEEDED = [
  'EventStoreDB denies an operation that the service needs to the account in EVENTSTORE_URL.',
  'The account must be allowed to read $all: add it to "$r" of "$systemStreamAcl" in the stream $settings, for example {"$systemStreamAcl": {"$r": ["$admins", "app"]}}.',
  'It must also be allowed to read and to append to streams: add it to "$r" and "$w" of "$userStreamAcl" there, unless these contain "$all".',
  'An address without an account has the rights of anonymous clients: esdb://user:password@host:2113. See docs/eventstoredb.md.',
].join(' ');
