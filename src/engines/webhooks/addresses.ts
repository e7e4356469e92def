/**
 * Which addresses the service may be sent to by a tenant: the public internet alone, unless the operator allows its own
 * network (server-side request forgery; OWASP). A name is judged by what it resolves to, and what was judged is what is
 * connected to.
 */
import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { urlOf } from '../../events/core/url.js';

/** Addresses of a host name, or none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const MAX_URL = 2_048;
const DNS_TIMEOUT_MS = 2_000;

/**
 * IPv6 addresses that IANA hands out for the internet; what ipaddr.js calls unicast is more (`::7f00:1`, for one, is
 * 127.0.0.1).
 */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address belongs to the public internet. Private, loopback, link-local, multicast, mapped, translated
 * and reserved ones do not.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === 'ipv6' && !(parsed as ipaddr.IPv6).match(GLOBAL_V6)) return false;
  return parsed.range() === 'unicast';
}

/**
 * Asks the network, never the machine's own list of hosts: by that one `localhost` is not the only way home. Apart from
 * the thread pool that the system's resolver shares with everything else, so that a name server that hangs delays
 * nobody.
 */
export function publicResolver(): Resolve {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
  return async (host) =>
    (
      await Promise.all([resolver.resolve4(host), resolver.resolve6(host)].map((question) => question.catch(() => [])))
    ).flat();
}

/** As the machine resolves names; for the operator's own network. */
export const systemResolver: Resolve = async (host) =>
  (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);

export interface AddressPolicy {
  /** Also private addresses, and plain http. */
  readonly allowPrivate: boolean;
  readonly resolve: Resolve;
}

/**
 * The address in the form it is called by; undefined for one that may not be used, whatever its name resolves to.
 * Numbers in any notation are IP addresses by then.
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

/** Without the brackets of an IPv6 address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** No connection was made: a name leads to an address that is not allowed, or to none. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';

  constructor(readonly code: 'address_not_allowed' | 'host_not_found') {
    super(code);
  }
}

/**
 * What a name may be connected to: all its addresses, or none when one of them is not allowed. Throws AddressRefused.
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
 * Whoever connects asks here, and is given what was checked: between check and connection there is no second question.
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
