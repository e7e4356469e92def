/**
 * Opens event streams for every interface: checks permissions, limits the number of streams, and checks permissions
 * again before each event. Revoking a token ends its streams.
 */
import { networkOf } from '../../engines/network-of.js';
import type { Authenticate } from './authenticate.js';
import { isUser, principalOf, type Caller } from './callers.js';
import { checkInput } from './check-input.js';
import { ApiError } from './errors.js';
import type { Feed, FeedEvent } from './feed.js';
import { authorize } from './invoke.js';
import type { Operation } from './operation.js';

const MAX_PER_CALLER = 10;
/** Limit for anonymous subscribers of one network: many users may share it. */
const MAX_PER_NETWORK = 200;
const MAX_TOTAL = 1_000;
/** Limit for all anonymous subscribers together, so that they cannot use up the places of authenticated callers. */
const MAX_ANONYMOUS = 500;
/** `Retry-After` in seconds for a client over the limit. */
const RETRY_SECONDS = 10;
/** Interval of permission checks for all open streams, for times without events. */
const CHECK_INTERVAL_MS = 1_500;

export interface SubscribeRequest {
  readonly authorization: string | undefined;
  /** The path of the request. */
  readonly path: string;
  /** Address of the client. */
  readonly address: string;
  /** Aborted when the connection closes. */
  readonly disconnected: AbortSignal;
}

/** Reason why the service ended a stream; undefined if the client ended it. */
export type EndReason = 'forbidden' | 'restart' | undefined;

export interface Subscription {
  readonly cursor: string;
  readonly events: AsyncIterable<readonly FeedEvent[]>;
  /** Available once `events` has ended. */
  readonly endReason: () => EndReason;
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;

export function createSubscriptions(one: Authenticate) {
  const authenticate = shareLookups(one);
  const stopping = new AbortController();
  const permissionChecks = new Set<() => Promise<unknown>>();
  const checkTimer = setInterval(() => permissionChecks.forEach((check) => void check()), CHECK_INTERVAL_MS).unref();
  const clients = new Map<string, number>();
  let open = 0;
  let anonymous = 0;

  /** Reserves a place for a stream of the client until `gone`; throws RATE_LIMITED. */
  function reserve(caller: Caller, address: string, disconnected: AbortSignal): void {
    const principal = principalOf(caller);
    const client = principal ?? networkOf(address);
    const clientStreams = clients.get(client) ?? 0;
    const isAnonymous = principal === undefined;
    if (
      clientStreams >= (isAnonymous ? MAX_PER_NETWORK : MAX_PER_CALLER) ||
      open >= MAX_TOTAL ||
      (isAnonymous && anonymous >= MAX_ANONYMOUS)
    )
      throw new ApiError('RATE_LIMITED', {
        params: { seconds: RETRY_SECONDS },
        headers: { 'Retry-After': String(RETRY_SECONDS) },
      });
    clients.set(client, clientStreams + 1);
    open += 1;
    if (isAnonymous) anonymous += 1;
    const leave = () => {
      open -= 1;
      if (isAnonymous) anonymous -= 1;
      const remaining = clients.get(client)! - 1;
      if (remaining > 0) clients.set(client, remaining);
      else clients.delete(client);
    };
    if (disconnected.aborted) leave();
    else disconnected.addEventListener('abort', leave, { once: true });
  }

  return {
    reserve,
    /** Aborted when the service stops. */
    stopping: stopping.signal,
    /** Ends all streams. */
    stop(): void {
      clearInterval(checkTimer);
      stopping.abort();
    },
    /** Opens a stream. Throws UNAUTHENTICATED, FORBIDDEN, RATE_LIMITED, INVALID_INPUT, and the errors of the feed. */
    async open(
      feed: Feed,
      input: unknown,
      { authorization, path, disconnected: gone }: SubscribeRequest,
    ): Promise<Subscription> {
      const allowed = async (): Promise<Caller> => {
        const caller = await authenticate(authorization, path);
        authorize(feed as unknown as Operation, caller);
        return caller;
      };
      const caller = await allowed();
      const checked = checkInput(feed as unknown as Operation, input);
      const ended = new AbortController();
      const signal = AbortSignal.any([gone, stopping.signal, ended.signal]);
      const { cursor, events } = await feed.subscribe(checked, { caller, signal });
      let endReason: EndReason;
      const isStillAllowed = () =>
        allowed().then(
          () => true,
          (error: unknown) => {
            // If the database does not respond, the permissions are unknown and the stream stays open.
            if (!(error instanceof ApiError) || error.status >= 500) return true;
            endReason = 'forbidden';
            ended.abort();
            return false;
          },
        );
      async function* authorizedEvents(): AsyncGenerator<readonly FeedEvent[]> {
        const isAuthenticated = isUser(caller) || caller.role === 'provider';
        if (isAuthenticated) permissionChecks.add(isStillAllowed);
        try {
          for await (const batch of events) {
            if (batch.length === 0) continue;
            if (isAuthenticated && !(await isStillAllowed())) return;
            if (signal.aborted) break;
            yield batch;
          }
        } finally {
          permissionChecks.delete(isStillAllowed);
          if (stopping.signal.aborted) endReason ??= 'restart';
          ended.abort();
        }
      }
      return { cursor, events: authorizedEvents(), endReason: () => endReason };
    },
  };
}

/**
 * Combines authentications of the same token and path within one turn of the event loop into one lookup. All streams
 * that receive an event at the same moment share it.
 */
function shareLookups(authenticate: Authenticate): Authenticate {
  const pending = new Map<string, Promise<Caller>>();
  return (authorization, path) => {
    const key = JSON.stringify([authorization, path]);
    const known = pending.get(key);
    if (known) return known;
    // The entry is removed before the lookup runs, because the lookup is deferred to the end of the turn. A stream can
    // therefore not join a lookup that has already read older data.
    setImmediate(() => pending.delete(key));
    const lookup = authenticate(authorization, path);
    pending.set(key, lookup);
    return lookup;
  };
}
