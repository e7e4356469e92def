/** What an answer tells: whether something broke, and whether it was refused. */
import type { Reply } from './send.js';
import type { Shot } from './shot.js';

/** What went wrong at the service; undefined where it stood. An answer can also say so inside a 200. */
export function faultOf({ path }: Shot, { status, text, hung }: Reply): string | undefined {
  if (hung) return 'no answer';
  // That is what it is asked.
  if (path.startsWith('/health/ready')) return undefined;
  if (status >= 500) return String(status);
  if (/"code":"(INTERNAL|UNAVAILABLE)"/.test(text)) return 'a fault inside the answer';
  if (/"code":-32603\b/.test(text)) return 'a fault of the protocol';
  return undefined;
}

/** A read waited for what was written just now, and asks to be sent once more. */
export const isBehind = ({ status, text }: Reply): boolean => status === 503 && text.includes('"code":"NOT_CAUGHT_UP"');

/** Nothing was done at all: no part of it either. */
export function isRefused({ method, path, raw }: Shot, { status, text }: Reply): boolean {
  if (raw || method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false;
  if (status >= 400 && status < 500) return true;
  if (status !== 200) return false;
  if (path.startsWith('/api/graphql')) return /^\{"errors":/.test(text) || /^\{"data":null/.test(text);
  return /mcp/.test(path) && !text.startsWith('[') && /"isError":true|^\{"jsonrpc":"2.0","id":[^,]*,"error"/.test(text);
}

/** As it can be sent once more by hand. */
export function shown(shot: Shot, { status, text }: Reply): string {
  const sent = shot.raw ?? shot.body;
  return [
    `${shot.caller ?? 'nobody'}: ${shot.method} ${shot.path.slice(0, 400)}`,
    `  ${JSON.stringify(shot.headers).slice(0, 300)}`,
    ...(sent ? [`  ${JSON.stringify(sent.subarray(0, 600).toString())} (${sent.length} bytes)`] : []),
    `  → ${status} ${text.slice(0, 400)}`,
  ].join('\n');
}
