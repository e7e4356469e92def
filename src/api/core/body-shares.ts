/**
 * Divides the memory for request bodies that are being received. Without shares, one client with unfinished bodies
 * could use all of it, and no other client could write. Parts of a body by size have separate memory, so large bodies
 * leave room for small ones.
 */
import { networkOf, siteOf } from '../../engines/network-of.js';
import { isStaff, isUser, principalOf, type Caller } from './callers.js';
import { ApiError } from './errors.js';

const KIB = 1_024;
const MIB = 1_048_576;

/** A part of each body, in decompressed bytes. */
export interface BodyPart {
  /** End of the part. */
  readonly end: number;
  /** Memory of this process for this part of all bodies. */
  readonly total: number;
}

/** Memory that a body uses before its bytes arrive. Limits the number of bodies, also of bodies without bytes. */
export const BASE_BYTES = 16 * KIB;
/** The last part only exists for uploads. */
export const BODY_PARTS: readonly BodyPart[] = [
  { end: BASE_BYTES, total: 32 * MIB },
  { end: MIB, total: 96 * MIB },
  { end: Infinity, total: 128 * MIB },
];

/** Shares of the memory of each part. */
const SHARES = {
  /** All staff of a business. */
  staff: 1 / 4,
  /** All other users of a business, so that they cannot use the share of its staff. */
  otherUsers: 1 / 8,
  /** A provider, or a user without a business. */
  account: 1 / 4,
  /** All anonymous callers: addresses cost an attacker little, accounts do not. */
  anonymous: 1 / 2,
  /** Anonymous callers of one IPv4 address or IPv6 /48. */
  site: 1 / 4,
  /** Anonymous callers of one IPv4 address or IPv6 /64. */
  network: 1 / 8,
} as const;
const RETRY_SECONDS = '1';

interface Scope {
  readonly key: string;
  /** Share of the memory of each part. */
  readonly share: number;
}

/** The scopes in which the bytes of a body are counted. */
export type BodyClient = readonly Scope[];

/** `address`: address of the client. An anonymous caller is counted by its network, any other by its account. */
export function bodyClientOf(caller: Caller, address: string): BodyClient {
  const principal = principalOf(caller);
  if (principal === undefined)
    return [
      { key: `network:${networkOf(address)}`, share: SHARES.network },
      { key: `site:${siteOf(address)}`, share: SHARES.site },
      { key: 'anonymous', share: SHARES.anonymous },
    ];
  const business = isUser(caller) ? caller.businessId : undefined;
  if (business === undefined) return [{ key: principal, share: SHARES.account }];
  const group = isStaff(caller) ? 'staff' : 'otherUsers';
  return [
    { key: principal, share: SHARES[group] / 2 },
    { key: `${group}:${business}`, share: SHARES[group] },
  ];
}

/** The memory of one body. */
export interface BodyMemory {
  /**
   * Counts bytes that arrived. In each scope, the largest body is not counted: it neither blocks others, nor do others
   * block it. Throws TOO_MANY_BODIES if the other bodies exceed the share of a scope. Throws UNAVAILABLE if all bodies
   * exceed the total.
   */
  add(bytes: number): void;
  /** Frees the memory. Call it once. */
  free(): void;
}

/** Call `add` to count the base cost of the body, too. */
export type BodyShares = (client: BodyClient) => BodyMemory;

export function createBodyShares(parts: readonly BodyPart[] = BODY_PARTS): BodyShares {
  const memories = parts.map(({ total }) => createPartMemory(total));
  const base = parts[0]!.end;

  return (client) => {
    const counted = parts.map((): Counted => ({ bytes: 0 }));
    let size = 0;
    return {
      add(bytes) {
        size += bytes;
        const used = Math.max(base, size);
        let start = 0;
        for (const [index, { end }] of parts.entries()) {
          const more = Math.max(0, Math.min(used, end) - start) - counted[index]!.bytes;
          if (more > 0) memories[index]!.add(client, counted[index]!, more);
          start = end;
        }
      },
      free() {
        for (const [index, memory] of memories.entries()) memory.free(client, counted[index]!);
      },
    };
  };
}

/** Bytes of one body in one part. */
interface Counted {
  bytes: number;
}

/** Memory for one part of all bodies. */
function createPartMemory(total: number) {
  /** The bodies of each scope. */
  const scopes = new Map<string, Set<Counted>>();
  let used = 0;

  /** Bytes of all bodies of the scope except the largest. */
  function bytesWithoutLargest(key: string): number {
    let sum = 0;
    let largest = 0;
    for (const { bytes } of scopes.get(key)!) {
      sum += bytes;
      largest = Math.max(largest, bytes);
    }
    return sum - largest;
  }

  return {
    add(client: BodyClient, body: Counted, bytes: number): void {
      // Counted before the check, because the bytes are in memory until the body is freed.
      body.bytes += bytes;
      used += bytes;
      for (const { key } of client) scopes.set(key, (scopes.get(key) ?? new Set()).add(body));
      if (client.some(({ key, share }) => bytesWithoutLargest(key) > share * total)) throw refusal('TOO_MANY_BODIES');
      if (used > total) throw refusal('UNAVAILABLE');
    },
    free(client: BodyClient, body: Counted): void {
      used -= body.bytes;
      for (const { key } of client) {
        const bodies = scopes.get(key);
        bodies?.delete(body);
        if (bodies?.size === 0) scopes.delete(key);
      }
    },
  };
}

const refusal = (code: 'TOO_MANY_BODIES' | 'UNAVAILABLE'): ApiError =>
  new ApiError(code, { headers: { 'Retry-After': RETRY_SECONDS }, isByDesign: true });
