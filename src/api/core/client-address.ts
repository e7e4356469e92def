import type { Request, Response } from 'express';

/** Address of the client. Also known after the client disconnected, when the request has no socket any more. */
export const addressOf = (request: Request, response: Response): string =>
  (response.locals['address'] as string | undefined) ?? request.ip ?? '';
