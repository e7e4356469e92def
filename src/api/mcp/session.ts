/** Name of the stream of the old transport that a message belongs to. */
import type { Request } from 'express';

export const SESSION = 'session_id';

export const streamOf = (request: Request): string | undefined => {
  const named = request.query[SESSION];
  return typeof named === 'string' ? named : undefined;
};
