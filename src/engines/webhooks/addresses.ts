/**
 * Restricts the addresses that tenants may configure, against server-side request forgery (OWASP). Only the public
 * internet is allowed, unless the operator allows private networks. A host name is checked by its IP addresses, and the
 * connection uses exactly the checked addresses.
 */
import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { urlOf } from '../../events/core/url.js';

/** Returns the IP addresses of a host name; empty if there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const MAX_URL = 2_048;
const DNS_TIMEOUT_MS = 2_000;

/**
 * IPv6 addresses that IANA assigns for the internet. The unicast range of ipaddr.js contains more: for example
 * `::7f00:1`, which is 127.0.0.1.
 */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address belongs to the public internet. Private, loopback, link-local, multicast, mapped, translated
 * and reserved addresses do not.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === 'ipv6' && !(parsed as ipaddr.IPv6).match(GLOBAL_V6)) return false;
  return parsed.range() === 'unicast';
}

/**
 * Queries DNS servers, and never the machine's hosts file, which can map names other than `localhost` to this machine.
 * Does not use the thread pool of the system's resolver, so that an unresponsive name server does not delay other work.
 */
export function publicResolver(): Resolve {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
  return async (host) =>
    (
      await Promise.all([resolver.resolve4(host), resolver.resolve6(host)].map((query) => query.catch(() => [])))
    ).flat();
}

/** Uses the system's resolver, for private networks. */
export const systemResolver: Resolve = async (host) =>
  (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);

export interface AddressPolicy {
  /** Whether private addresses and plain http are allowed. */
  readonly allowPrivate: boolean;
  readonly resolve: Resolve;
}

/**
 * Parses a target address; undefined if it is not allowed, independently of DNS. IP addresses in any numeric notation
 * are normalized here.
 */
export function parseTarget(text: string, { allowPrivate }: Pick<AddressPolicy, 'allowPrivate'>): URL | undefined {
  const url = text.length > MAX_URL ? undefined : urlOf(text);
  if (!url) return undefined;
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  const host = hostOf(url);
  if (!allowPrivate && (ipaddr.isValid(host) ? !isPublic(host) : /(^|\.)(localhost|local|internal)\.?$/i.test(host)))
    return undefined;
  return url;
}

/** The host name, without the brackets of an IPv6 address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** No connection was made: the host name resolves to an address that is not allowed, or to none. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';

  constructor(readonly code: 'address_not_allowed' | 'host_not_found') {
    super(code);
  }
}

/**
 * Resolves a host name to all its addresses. Throws AddressRefused if there are none, or if one of them is not allowed.
 */
export async function resolveChecked(
  host: string,
  { allowPrivate, resolve }: AddressPolicy,
): Promise<readonly string[]> {
  const addresses = ipaddr.isValid(host) ? [host] : await resolve(host);
  if (addresses.length === 0) throw new AddressRefused('host_not_found');
  if (!allowPrivate && !addresses.every(isPublic)) throw new AddressRefused('address_not_allowed');
  return addresses;
}

/**
 * A lookup function for connections that returns the checked addresses, so that no second DNS query happens between
 * check and connection.
 */
export const pinnedLookup =
  (policy: AddressPolicy): LookupFunction =>
  (host, { all }, done) =>
    void resolveChecked(host, policy).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        if (all) done(null, found);
        else done(null, found[0]!.address, found[0]!.family);
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    );
