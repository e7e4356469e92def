/** Against DNS rebinding: a page of another origin cannot make its reader's browser talk to a server here. */
import type { Request } from 'express';
import { urlOf } from '../../events/core/url.js';

const LOCAL: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Requests without an Origin come from no page. The host is looked at where the connection is local: that is where
 * rebinding leads, and where no proxy gives the request another host on the way. `more`: origins that are let in besides.
 */
export function knownOrigin(request: Request, baseUrl: string, more: readonly string[]): boolean {
  const own = new URL(baseUrl).hostname;
  const known = (host: string | undefined) => host !== undefined && (host === own || LOCAL.has(host));
  const { origin, host } = request.headers;
  if (origin !== undefined && !more.includes(origin) && !known(hostOf(origin))) return false;
  return !isLoopback(request.socket.localAddress) || known(hostOf(`http://${host ?? ''}`));
}

function hostOf(url: string): string | undefined {
  return urlOf(url)?.hostname;
}

const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && (address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.'));
