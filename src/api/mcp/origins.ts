/** Protects against DNS rebinding: a page of another origin cannot use a visitor's browser to call a server here. */
import type { Request } from 'express';
import { urlOf } from '../../events/core/url.js';

const LOCAL: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Requests without an Origin header do not come from a page. The host is checked if the connection is local: rebinding
 * leads to local addresses, and no proxy changes the host of a local request. `more`: additional allowed origins.
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
