/**
 * One call of EasyPost's API. It is sent like every call to an external system: without retries and redirects, and with
 * limits of time and size. The official library has no exchangeable HTTP layer, so only tests use it.
 */
import type { z } from 'zod';
import type { NotDone, Outcome } from '../../adapter.js';
import { callOutside } from '../../call-outside.js';
import type { EasypostCall } from './account.js';
import { refusalOf } from './refusals.js';

export interface EasypostRequest<Result> {
  readonly call: Pick<EasypostCall, 'credentials' | 'signal'>;
  readonly method: 'GET' | 'POST';
  /** Below `/v2/`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly schema: z.ZodType<Result>;
  /** Codes after which EasyPost certainly did not act. */
  readonly refusals: Readonly<Record<string, Pick<NotDone, 'final'>>>;
  /** Default: 1 MiB. */
  readonly maxBytes?: number;
}

/** `baseUrl`: the operator sets it, never a tenant. */
export const createEasypostClient = (baseUrl: string) => ({
  send: <Result>({
    call: { credentials, signal },
    method,
    path,
    query,
    body,
    schema,
    refusals,
    maxBytes,
  }: EasypostRequest<Result>): Promise<Outcome<Result>> =>
    callOutside({
      url: `${baseUrl}/v2/${path}${query ? `?${new URLSearchParams(query)}` : ''}`,
      method,
      signal,
      headers: {
        authorization: `Basic ${Buffer.from(`${credentials.api_key}:`).toString('base64')}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(maxBytes !== undefined && { maxBytes }),
      read: (json) => schema.safeParse(json).data,
      refusals,
      refusalOf,
    }),
});
export type EasypostClient = ReturnType<typeof createEasypostClient>;
