/**
 * Opens event streams for every interface: checks permissions, limits the number of streams, and checks permissions
 * again before each event. Revoking a token ends its streams.
 */
import { networkOf } from '../../engines/network-of.js';
import type { Authenticate } from './authenticate.js';
import { isUser, principalOf, type Caller } from './callers.js';
import { checkInput } from './check-input.js';
import { ApiError } from './errors.js';
import type { Feed, Told } from './feed.js';
import { admit } from './invoke.js';
import type { Operation } from './operation.js';

const MAX_PER_CALLER = 10;
/** Limit for anonymous subscribers of one network: many users may share it. */
const MAX_PER_NETWORK = 200;
const MAX_IN_ALL = 1_000;
/** Limit for all anonymous subscribers together, so that they cannot use up the places of authenticated callers. */
const MAX_NAMELESS = 500;
/** `Retry-After` in seconds for a client over the limit. */
const RETRY_SECONDS = 10;
/** Interval of permission checks for all open streams, for times without events. */
const LOOK_MS = 1_500;

export interface FollowRequest {
  readonly authorization: string | undefined;
  /** The path of the request. */
  readonly path: string;
  /** Address of the client. */
  readonly address: string;
  /** Aborted when the connection closes. */
  readonly gone: AbortSignal;
}

/** Reason why the service ended a stream; undefined if the client ended it. */
export type Ending = 'forbidden' | 'restart' | undefined;

export interface Opened {
  readonly cursor: string;
  readonly events: AsyncIterable<readonly Told[]>;
  /** Available once `events` has ended. */
  readonly ending: () => Ending;
}

export type Following = ReturnType<typeof createFollowing>;

export function createFollowing(one: Authenticate) {
  const authenticate = together(one);
  const stopping = new AbortController();
  const watched = new Set<() => Promise<unknown>>();
  const looking = setInterval(() => watched.forEach((ask) => void ask()), LOOK_MS).unref();
  const clients = new Map<string, number>();
  let open = 0;
  let nameless = 0;

  /** Reserves a place for a stream of the client until `gone`; throws RATE_LIMITED. */
  function enter(caller: Caller, address: string, gone: AbortSignal): void {
    const principal = principalOf(caller);
    const client = principal ?? networkOf(address);
    const mine = clients.get(client) ?? 0;
    const isNameless = principal === undefined;
    if (
      mine >= (isNameless ? MAX_PER_NETWORK : MAX_PER_CALLER) ||
      open >= MAX_IN_ALL ||
      (isNameless && nameless >= MAX_NAMELESS)
    )
      throw new ApiError('RATE_LIMITED', {
        params: { seconds: RETRY_SECONDS },
        headers: { 'Retry-After': String(RETRY_SECONDS) },
      });
    clients.set(client, mine + 1);
    open += 1;
    if (isNameless) nameless += 1;
    const leave = () => {
      open -= 1;
      if (isNameless) nameless -= 1;
      const left = clients.get(client)! - 1;
      if (left > 0) clients.set(client, left);
      else clients.delete(client);
    };
    if (gone.aborted) leave();
    else gone.addEventListener('abort', leave, { once: true });
  }

  return {
    enter,
    /** Aborted when the service stops. */
    stopping: stopping.signal,
    /** Ends all streams. */
    stop(): void {
      clearInterval(looking);
      stopping.abort();
    },
    /** Opens a stream. Throws UNAUTHENTICATED, FORBIDDEN, RATE_LIMITED, INVALID_INPUT, and the errors of the feed. */
    async open(feed: Feed, input: unknown, { authorization, path, gone }: FollowRequest): Promise<Opened> {
      const allowed = async (): Promise<Caller> => {
        const caller = await authenticate(authorization, path);
        admit(feed as unknown as Operation, caller);
        return caller;
      };
      const caller = await allowed();
      const checked = checkInput(feed as unknown as Operation, input);
      const ended = new AbortController();
      const signal = AbortSignal.any([gone, stopping.signal, ended.signal]);
      const { cursor, events } = await feed.follow(checked, { caller, signal });
      let ending: Ending;
      const mayStill = () =>
        allowed().then(
          () => true,
          (error: unknown) => {
            // If the database does not respond, the permissions are unknown and the stream stays open.
            if (!(error instanceof ApiError) || error.status >= 500) return true;
            ending = 'forbidden';
            ended.abort();
            return false;
          },
        );
      async function* guarded(): AsyncGenerator<readonly Told[]> {
        const named = isUser(caller) || caller.role === 'provider';
        if (named) watched.add(mayStill);
        try {
          for await (const moment of events) {
            if (moment.length === 0) continue;
            if (named && !(await mayStill())) return;
            if (signal.aborted) break;
            yield moment;
          }
        } finally {
          watched.delete(mayStill);
          if (stopping.signal.aborted) ending ??= 'restart';
          ended.abort();
        }
      }
      return { cursor, events: guarded(), ending: () => ending };
    },
  };
}

/**
 * Combines authentications of the same token and path within one turn of the event loop into one lookup. All streams
 * that receive an event at the same moment share it.
 */
function together(authenticate: Authenticate): Authenticate {
  const asking = new Map<string, Promise<Caller>>();
  return (authorization, path) => {
    const key = JSON.stringify([authorization, path]);
    const known = asking.get(key);
    if (known) return known;
    // The entry is removed before the lookup runs, because the lookup is deferred to the end of the turn. A stream can
    // therefore not join a lookup that has already read older data.
    setImmediate(() => asking.delete(key));
    const asked = authenticate(authorization, path);
    asking.set(key, asked);
    return asked;
  };
}
