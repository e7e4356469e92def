/**
 * The way of every follower, whichever interface it came through: who may, how many, and that rights are asked again
 * for every event. A token that is revoked ends its streams.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Authenticate } from './authenticate.js';
import { isUser, principalOf, type Caller } from './callers.js';
import { checkInput } from './check-input.js';
import { ApiError } from './errors.js';
import type { Feed, Told } from './feed.js';
import { admit } from './invoke.js';
import type { Operation } from './operation.js';

const MAX_PER_CALLER = 10;
/** For subscribers without a name: many may share one. */
const MAX_PER_ADDRESS = 200;
const MAX_IN_ALL = 1_000;
/** Of all who have no name together: the other places stay for those who signed in. */
const MAX_NAMELESS = 500;
/** The `Retry-After` of a client that has too many, in seconds. */
const RETRY_SECONDS = 10;
/** Where nothing happens, rights are asked again so often. */
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
  readonly events: AsyncIterable<Told>;
  /** Once `events` has ended. */
  readonly ending: () => Ending;
}

export interface Following {
  /** Throws UNAUTHENTICATED, FORBIDDEN, RATE_LIMITED, INVALID_INPUT, and what the feed throws. */
  open(feed: Feed, input: unknown, request: FollowRequest): Promise<Opened>;
  /** A place for a stream of the client until `gone`; throws RATE_LIMITED. */
  enter(caller: Caller, address: string, gone: AbortSignal): void;
  /** Ends with the service. */
  readonly stopping: AbortSignal;
  /** Ends all streams. */
  stop(): void;
}

export function createFollowing(authenticate: Authenticate): Following {
  const stopping = new AbortController();
  const clients = new Map<string, number>();
  let open = 0;
  let nameless = 0;

  function enter(caller: Caller, address: string, gone: AbortSignal): void {
    const principal = principalOf(caller);
    const client = principal ?? address;
    const mine = clients.get(client) ?? 0;
    const isNameless = principal === undefined;
    if (
      mine >= (isNameless ? MAX_PER_ADDRESS : MAX_PER_CALLER) ||
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
    stopping: stopping.signal,
    stop: () => stopping.abort(),
    async open(feed, input, { authorization, path, gone }) {
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
      async function watch(): Promise<void> {
        while (!signal.aborted) {
          await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
          if (!signal.aborted) await mayStill();
        }
      }
      async function* guarded(): AsyncGenerator<Told> {
        const named = isUser(caller) || caller.role === 'provider';
        if (named) void watch();
        try {
          for await (const told of events) {
            if (named && !(await mayStill())) return;
            if (signal.aborted) break;
            yield told;
          }
        } finally {
          if (stopping.signal.aborted) ending ??= 'restart';
          ended.abort();
        }
      }
      return { cursor, events: guarded(), ending: () => ending };
    },
  };
}
