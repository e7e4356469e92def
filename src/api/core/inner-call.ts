/** A call from one operation to another. */
import type { Cause } from '../../commands/core/handle.js';
import type { Caller } from './callers.js';
import type { Call } from './call.js';

/**
 * Runs in the name of an authenticated user, as part of the request of `cause`. `header`: the request headers that the
 * inner operation may read; absent: none.
 */
export const innerCall = (
  caller: Caller,
  { channel, correlationId }: Pick<Cause, 'channel' | 'correlationId'>,
  header: Call['header'] = () => undefined,
): Call => ({
  caller,
  channel,
  requestId: correlationId,
  // No address is needed: rate limits count authenticated users by their id.
  address: '',
  header,
  // Not needed: idempotency applies to the request as a whole.
  fingerprint: () => Buffer.alloc(0),
});
