import { isIPv6 } from 'node:net';

/** Returns an IPv4 address unchanged; for IPv6, the /64 network, which is that of one subscriber. */
export const networkOf = (address: string): string => prefixOf(address, 4);

/** Returns an IPv4 address unchanged; for IPv6, the /48 network, which is that of one site with many /64 networks. */
export const siteOf = (address: string): string => prefixOf(address, 3);

/** The first groups of an IPv6 address. All notations of an address have the same prefix. */
function prefixOf(address: string, groups: number): string {
  if (!isIPv6(address)) return address;
  const all = groupsOf(address);
  return isMapped(all) ? ipv4Of(all) : all.slice(0, groups).join(':');
}

/** The eight groups of an IPv6 address, in lower case and without leading zeros. */
function groupsOf(address: string): readonly string[] {
  // The URL parser normalizes an address, but does not accept a zone.
  const { hostname } = new URL(`http://[${address.split('%')[0]}]`);
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}

/** Whether the address represents an IPv4 address (`::ffff:0:0/96`). */
const isMapped = (groups: readonly string[]): boolean => groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';

const ipv4Of = (groups: readonly string[]): string =>
  groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
