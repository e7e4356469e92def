/**
 * Wraps a geocoding server with limits:
 * - One request at a time.
 * - A maximum rate across all processes.
 * - Known responses come from a table.
 * - After repeated failures, a pause without requests.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { createBlindIndex } from '../blind-index.js';
import { createVault } from '../vault.js';
import {
  GeocoderDown,
  type Address,
  type AddressServer,
  type Degrees,
  type FoundPlace,
  type Geocoder,
  type PlaceAt,
} from './geocoder.js';

export interface RateLimitedGeocoderOptions {
  readonly pool: Pool;
  /** 32 bytes, from which the keys for address hashes and for the encryption of responses are derived. */
  readonly secret: () => Buffer;
  /** Requests per second. */
  readonly rps: number;
  /** Pause in milliseconds after five failures. */
  readonly pauseMs?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const RETENTION_DAYS = 180;
const MAX_CACHED = 1_000_000;
/** Maximum number of callers that wait at the same time. */
const MAX_WAITING = 50;
const MAX_FAILURES = 5;
const PAUSE_MS = 30_000;

export function createRateLimitedGeocoder(
  server: AddressServer,
  { pool, secret, rps, pauseMs = PAUSE_MS, now = Date.now }: RateLimitedGeocoderOptions,
): Geocoder {
  const { name } = server;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let failures = 0;
  let pausedUntil = 0;

  const cacheContext = (hash: Buffer): string => `${name} ${hash.toString('hex')}`;
  const hashOf = (what: string): Buffer => createBlindIndex(secret())(`${name}\n${what}`);
  const vault = () => createVault(secret(), 'answers');

  /** Cached responses by hash, in hexadecimal digits. */
  async function readCache<T>(hashes: readonly Buffer[]): Promise<ReadonlyMap<string, T>> {
    const { rows } = await pool.query<{ asked: Buffer; answer: Buffer }>(
      'select asked, answer from access.geocoded where geocoder = $1 and asked = any ($2) and at > now() - make_interval(days => $3)',
      [name, hashes, RETENTION_DAYS],
    );
    const { open } = vault();
    return new Map(
      rows.map((row) => {
        const { answer } = JSON.parse(open(row.answer, cacheContext(row.asked)).toString()) as { answer: T };
        return [row.asked.toString('hex'), answer];
      }),
    );
  }

  const writeCache = (hash: Buffer, answer: unknown) =>
    pool.query(
      `insert into access.geocoded (geocoder, asked, answer) values ($1, $2, $3)
       on conflict (geocoder, asked) do update set answer = excluded.answer, at = now()`,
      [name, hash, vault().seal(Buffer.from(JSON.stringify({ answer })), cacheContext(hash))],
    );

  /** Waits until this process may send a request. */
  async function waitForSlot(signal: AbortSignal | undefined): Promise<void> {
    const { rows } = await pool.query<{ wait: number }>(
      `insert into access.geocoder_turns as t (geocoder, next_at) values ($1, clock_timestamp() + make_interval(secs => $2))
       on conflict (geocoder) do update set next_at = greatest(t.next_at, clock_timestamp()) + make_interval(secs => $2)
       returning extract(epoch from next_at - clock_timestamp())::float8 - $2::float8 as wait`,
      [name, 1 / rps],
    );
    const wait = Math.ceil(rows[0]!.wait * 1_000);
    if (wait > 0) await sleep(wait, undefined, { ...(signal && { signal }) });
  }

  async function sendLimited<T>(send: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (now() < pausedUntil) throw new GeocoderDown('paused after failures');
    signal?.throwIfAborted();
    await waitForSlot(signal);
    try {
      const answer = await send();
      failures = 0;
      return answer;
    } catch (error) {
      if (error instanceof GeocoderDown && ++failures >= MAX_FAILURES) {
        failures = 0;
        pausedUntil = now() + pauseMs;
      }
      throw error;
    }
  }

  /** Runs the requests one after the other. If the caller aborts while it waits, its request is not sent. */
  function enqueue<T>(send: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (waiting >= MAX_WAITING) return Promise.reject(new GeocoderDown('too many requests are waiting'));
    waiting += 1;
    const request = last.then(() => sendLimited(send, signal)).finally(() => (waiting -= 1));
    last = request.catch(() => undefined);
    return signal ? unlessAborted(request, signal) : request;
  }

  async function find(addresses: readonly Address[], signal: AbortSignal) {
    const hashes = addresses.map((address) => hashOf(`find ${asText(address)}`));
    const known = new Map(await readCache<readonly FoundPlace[]>(hashes));
    const found: (readonly FoundPlace[] | undefined)[] = [];
    let down = false;
    for (const [at, address] of addresses.entries()) {
      const hash = hashes[at]!;
      const key = hash.toString('hex');
      if (!known.has(key) && !down)
        try {
          const answer = await enqueue(() => server.find(address, signal), signal);
          known.set(key, answer);
          await writeCache(hash, answer);
        } catch (error) {
          if (!(error instanceof GeocoderDown) && !signal.aborted) throw error;
          down = signal.aborted || now() < pausedUntil;
        }
      found.push(known.get(key));
    }
    return found;
  }

  async function at(position: Degrees, signal?: AbortSignal): Promise<PlaceAt | undefined> {
    const hash = hashOf(`at ${position.latitude} ${position.longitude}`);
    // Undefined cannot be stored as JSON, so null represents it.
    const known = (await readCache<PlaceAt | null>([hash])).get(hash.toString('hex'));
    if (known !== undefined) return known ?? undefined;
    const answer = await enqueue(() => server.at(position, signal), signal);
    await writeCache(hash, answer ?? null);
    return answer;
  }

  return {
    name,
    get takesBulk() {
      return server.takesBulk;
    },
    find,
    at,
    async forget() {
      await pool.query('delete from access.geocoded where geocoder = $1', [name]);
    },
    async sweep() {
      await pool.query(
        `delete from access.geocoded where geocoder = $1 and (at < now() - make_interval(days => $2)
           or at <= (select at from access.geocoded where geocoder = $1 order by at desc offset $3 limit 1))`,
        [name, RETENTION_DAYS, MAX_CACHED],
      );
    },
  };
}

/** Normalizes spelling differences in case and white space. */
const asText = ({ street, postal_code, city, country }: Address): string =>
  JSON.stringify([street, postal_code, city, country].map((part) => part?.trim().toLowerCase() ?? null));

/** The result of the work. Rejects immediately when the signal aborts; the work then continues in the background. */
const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
