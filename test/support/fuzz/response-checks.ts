/** Evaluates a response: whether the service failed, and whether it rejected the request. */
import type { Reply } from './send.js';
import type { FuzzRequest } from './request.js';

/** Returns the fault of the service; undefined if there is none. A response with status 200 can contain a fault too. */
export function faultOf({ path }: FuzzRequest, { status, text, hung }: Reply): string | undefined {
  if (hung) return 'no answer';
  // A service that is not ready is a valid response of this path.
  if (path.startsWith('/health/ready')) return undefined;
  if (status >= 500) return String(status);
  if (/"code":"(INTERNAL|UNAVAILABLE)"/.test(text)) return 'a fault inside the answer';
  if (/"code":-32603\b/.test(text)) return 'a fault of the protocol';
  return undefined;
}

/** Returns whether a read timed out while it waited for a recent write, so that it must be sent again. */
export const isBehind = ({ status, text }: Reply): boolean => status === 503 && text.includes('"code":"NOT_CAUGHT_UP"');

/** Returns whether the request was rejected as a whole, so that it changed nothing. */
export function isRefused({ method, path, raw }: FuzzRequest, { status, text }: Reply): boolean {
  if (raw || method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false;
  if (status >= 400 && status < 500) return true;
  if (status !== 200) return false;
  if (path.startsWith('/api/graphql')) return /^\{"errors":/.test(text) || /^\{"data":null/.test(text);
  return /mcp/.test(path) && !text.startsWith('[') && /"isError":true|^\{"jsonrpc":"2.0","id":[^,]*,"error"/.test(text);
}

/** Formats the request so that it can be sent again by hand. */
export function shown(fuzzRequest: FuzzRequest, { status, text }: Reply): string {
  const sent = fuzzRequest.raw ?? fuzzRequest.body;
  return [
    `${fuzzRequest.caller ?? 'anonymous'}: ${fuzzRequest.method} ${fuzzRequest.path.slice(0, 400)}`,
    `  ${JSON.stringify(fuzzRequest.headers).slice(0, 300)}`,
    ...(sent ? [`  ${JSON.stringify(sent.subarray(0, 600).toString())} (${sent.length} bytes)`] : []),
    `  → ${status} ${text.slice(0, 400)}`,
  ].join('\n');
}
