/**
 * Divides the memory for request bodies that are being received. Without shares, one client with unfinished bodies
 * could use all of it, and no other client could write.
 */
import { networkOf } from '../../engines/network-of.js';
import { isUser, principalOf, type Caller } from './callers.js';
import { ApiError } from './errors.js';

/** Memory for all bodies that this process is receiving, in decompressed bytes. */
export const MAX_BYTES_IN_PROGRESS = 128 * 1_048_576;
/** Share of one client, and of one business with all its users. */
const CLIENT_SHARE = 1 / 4;
/** Share of all anonymous callers: addresses cost an attacker little, accounts do not. */
const ANONYMOUS_SHARE = 1 / 2;
const RETRY_SECONDS = '1';

interface Scope {
  readonly key: string;
  /** Share of the total. */
  readonly share: number;
}

/** The scopes in which the bytes of a body are counted. */
export type BodyClient = readonly Scope[];

/** `address`: address of the client. An anonymous caller is counted by its network, any other by its account. */
export function bodyClientOf(caller: Caller, address: string): BodyClient {
  const principal = principalOf(caller);
  if (principal === undefined)
    return [
      { key: `network:${networkOf(address)}`, share: CLIENT_SHARE },
      { key: 'anonymous', share: ANONYMOUS_SHARE },
    ];
  const client = { key: principal, share: CLIENT_SHARE };
  const business = isUser(caller) ? caller.businessId : undefined;
  return business === undefined ? [client] : [client, { key: `business:${business}`, share: CLIENT_SHARE }];
}

/** The memory of one body. */
export interface BodyMemory {
  /**
   * Counts bytes that arrived. Throws TOO_MANY_BODIES if the bodies of a scope exceed its share, unless this is its only
   * body. Throws UNAVAILABLE if all bodies exceed the total.
   */
  add(bytes: number): void;
  /** Frees the memory. Call it once. */
  free(): void;
}

export type BodyShares = (client: BodyClient) => BodyMemory;

/** `total`: bytes. */
export function createBodyShares(total = MAX_BYTES_IN_PROGRESS): BodyShares {
  const scopes = new Map<string, { bytes: number; bodies: number }>();
  let used = 0;

  const useOf = (key: string) => {
    const use = scopes.get(key) ?? { bytes: 0, bodies: 0 };
    scopes.set(key, use);
    return use;
  };

  return (client) => {
    const uses = client.map(({ key, share }) => ({ key, use: useOf(key), max: share * total }));
    for (const { use } of uses) use.bodies++;
    let size = 0;
    return {
      add(bytes) {
        // Counted before the check, because the bytes are in memory until the body is freed.
        size += bytes;
        used += bytes;
        for (const { use } of uses) use.bytes += bytes;
        if (uses.some(({ use, max }) => use.bodies > 1 && use.bytes > max)) throw refusal('TOO_MANY_BODIES');
        if (used > total) throw refusal('UNAVAILABLE');
      },
      free() {
        used -= size;
        for (const { key, use } of uses) {
          use.bytes -= size;
          if (--use.bodies === 0) scopes.delete(key);
        }
      },
    };
  };
}

const refusal = (code: 'TOO_MANY_BODIES' | 'UNAVAILABLE'): ApiError =>
  new ApiError(code, { headers: { 'Retry-After': RETRY_SECONDS }, isByDesign: true });
