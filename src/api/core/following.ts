/**
 * The way of every follower, whichever interface it came through: who may, how many, and that rights are asked again
 * for every event. A token that is revoked ends its streams.
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
/** For subscribers without a name: many may share one. */
const MAX_PER_NETWORK = 200;
const MAX_IN_ALL = 1_000;
/** Of all who have no name together: the other places stay for those who signed in. */
const MAX_NAMELESS = 500;
/** The `Retry-After` of a client that has too many, in seconds. */
const RETRY_SECONDS = 10;
/** Where nothing happens, rights are asked again so often: of all streams at once. */
const LOOK_MS = 1_500;

export interface FollowRequest {
  readonly authorization: string | undefined;
  /** The address that was asked. */
  readonly path: string;
  /** Of the client. */
  readonly address: string;
  /** Ends with the connection. */
  readonly gone: AbortSignal;
}

/** How a stream that its client did not end ended. */
export type Ending = 'forbidden' | 'restart' | undefined;

export interface Opened {
  readonly cursor: string;
  readonly events: AsyncIterable<readonly Told[]>;
  /** Once `events` has ended. */
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

  /** A place for a stream of the client until `gone`; throws RATE_LIMITED. */
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
    /** Ends with the service. */
    stopping: stopping.signal,
    /** Ends all streams. */
    stop(): void {
      clearInterval(looking);
      stopping.abort();
    },
    /** Throws UNAUTHENTICATED, FORBIDDEN, RATE_LIMITED, INVALID_INPUT, and what the feed throws. */
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
            // An engine that does not answer says nothing of rights.
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

/** Streams of the same token ask as one in a turn of the event loop: all that begin to be told at the same moment. */
function together(authenticate: Authenticate): Authenticate {
  const asking = new Map<string, Promise<Caller>>();
  return (authorization, path) => {
    const key = JSON.stringify([authorization, path]);
    const known = asking.get(key);
    if (known) return known;
    // Before the look itself, which is put off until the turn has ended: whoever joins it asked before it.
    setImmediate(() => asking.delete(key));
    const asked = authenticate(authorization, path);
    asking.set(key, asked);
    return asked;
  };
}
