/** The call of one operation by another. */
import type { Cause } from '../../commands/core/handle.js';
import type { Caller } from './callers.js';
import type { Call } from './call.js';

/**
 * In the name of somebody who signed in, as part of the request of `cause`. `header`: what the inner operation may read
 * of the request's headers; absent: nothing.
 */
export const innerCall = (
  caller: Caller,
  { channel, correlationId }: Pick<Cause, 'channel' | 'correlationId'>,
  header: Call['header'] = () => undefined,
): Call => ({
  caller,
  channel,
  requestId: correlationId,
  // Limits count those who signed in by who they are.
  address: '',
  header,
  // The request as a whole is repeated, or nothing of it.
  fingerprint: () => Buffer.alloc(0),
});
