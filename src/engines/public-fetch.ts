/**
 * `fetch`-compatible GET of an address from an untrusted source. The address is checked and pinned as for webhooks. The
 * request is limited in time and size, and redirects are not followed.
 */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import {
  AddressRefused,
  parseTarget,
  pinnedLookup,
  publicResolver,
  systemResolver,
  type AddressPolicy,
} from './webhooks/addresses.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1_024;

export interface PublicFetchOptions extends Pick<AddressPolicy, 'allowPrivate'> {
  /** Default: 64 kB. */
  readonly maxBytes?: number;
  /** Default: 5 s. */
  readonly timeoutMs?: number;
  /** Accepted media types; default: JSON. */
  readonly accept?: string;
}

/** Rejects if the address is not allowed, the server does not respond in time, or the response is too large. */
export function createPublicFetch({
  allowPrivate,
  maxBytes = MAX_BYTES,
  timeoutMs = TIMEOUT_MS,
  accept = 'application/json',
}: PublicFetchOptions): typeof globalThis.fetch {
  const lookup = pinnedLookup({ allowPrivate, resolve: allowPrivate ? systemResolver : publicResolver() });
  return async (input) => {
    const url = parseTarget(input instanceof Request ? input.url : String(input), { allowPrivate });
    if (!url) throw new AddressRefused('address_not_allowed');
    const call = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'GET',
      lookup,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept, 'accept-encoding': 'identity' },
    });
    call.end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) {
        response.destroy();
        throw new Error(`The response has more than ${maxBytes} bytes.`);
      }
      chunks.push(chunk);
    }
    const { 'cache-control': cacheControl, 'content-type': contentType } = response.headers;
    return new Response(Buffer.concat(chunks), {
      status: response.statusCode!,
      headers: {
        ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
        ...(contentType !== undefined && { 'content-type': contentType }),
      },
    });
  };
}
