/**
 * The way of every call, whichever interface it came through: rate limit, who may, the caller's position, input,
 * idempotency, run, and the wait for the caller's own write. Roles, scopes and modules are checked here and nowhere
 * else.
 */
import { derivedId } from '../../events/otep/identity.js';
import { MAX_ID } from './ids.js';
import { within } from '../../engines/in-time.js';
import type { Position } from '../../events/core/log.js';
import { timeLimits } from '../../events/core/time-limits.js';
import type { Parts } from '../../projections/core/parts.js';
import { isUser, principalOf, type Caller } from './callers.js';
import { ApiError, fieldError } from './errors.js';
import { checkInput } from './check-input.js';
import type { Idempotency } from './idempotency.js';
import type { Call } from './call.js';
import { causeOf, expectedBy } from './cause.js';
import { IF_VERSION, type Answered, type Context, type Operation } from './operation.js';
import type { Limit } from './rate-limit.js';

/** A caller's own write is waited for at most this long (G6). */
const WRITE_WAIT_MS = 2_000;
const READ_WAIT_MS = 5_000;

export interface Invoke {
  /**
   * `input` is called when the caller may call at all, and may throw. Throws ApiError, and what the operation throws.
   */
  (operation: Operation, input: () => unknown, call: Call): Promise<Answered>;
}

export interface InvokeOptions extends Parts<'progress' | 'log' | 'now'> {
  readonly limit: Limit;
  readonly idempotency: Idempotency;
  /**
   * Milliseconds, whatever an engine does: a longer call is answered UNAVAILABLE, and continues on its own. A write may
   * have happened by then; sent again it takes effect once.
   */
  readonly answerWithin?: number;
  /** Ids for a command; the same ones for the same command when it is `repeatable`. */
  readonly reserveIds: (
    sequence: string,
    count: number,
    commandId: string,
    repeatable: boolean,
  ) => Promise<readonly number[]>;
}

/** The kind of limit that an operation counts against. */
export const limitKind = ({ writes }: Operation): 'read' | 'write' => (writes ? 'write' : 'read');

/**
 * Throws UNAUTHENTICATED or FORBIDDEN unless the caller may call the operation at all. What the operation then finds is
 * its own matter.
 */
export function admit(operation: Operation, caller: Caller): void {
  if (!operation.callers.includes(caller.role)) throw caller.role === 'anonymous' ? signInFirst() : notFor(operation);
  if (!isUser(caller)) return;
  const missing = (operation.scopes ?? []).filter((scope) => !caller.scopes.has(scope));
  if (missing.length > 0)
    throw new ApiError('INSUFFICIENT_SCOPE', {
      params: { scopes: missing.join(' ') },
      headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${missing.join(' ')}"` },
    });
  if (operation.loginOnly && caller.tokenKind !== 'login') throw new ApiError('FORBIDDEN');
  if (operation.module !== undefined && !caller.modules.has(operation.module))
    throw new ApiError('MODULE_OFF', { params: { module: operation.module } });
}

/** Which roles may call is no secret: the OpenAPI document has it. */
const notFor = ({ callers }: Operation): ApiError =>
  new ApiError('FORBIDDEN', { says: 'FOR_CALLERS', params: { callers: callers.join(', ') } });

export const signInFirst = (): ApiError =>
  new ApiError('UNAUTHENTICATED', { headers: { 'WWW-Authenticate': 'Bearer' } });

export function createInvoke({
  limit,
  idempotency,
  progress,
  log,
  now,
  answerWithin = timeLimits().responseMs,
  reserveIds,
}: InvokeOptions): Invoke {
  return (operation, input, call) =>
    within(
      answer(operation, input, call),
      answerWithin + (operation.waits ?? 0) * 1_000,
      () => new ApiError('UNAVAILABLE', { headers: { 'Retry-After': '1' } }),
    );

  async function answer(operation: Operation, input: () => unknown, call: Call): Promise<Answered> {
    const { caller } = call;
    const principal = principalOf(caller);
    const left = await limit(limitKind(operation), principal ?? call.address);
    call.counted?.(left);
    admit(operation, caller);
    await waitForPosition(operation, call.position);
    const checked = checkInput(operation, input());
    if (call.command)
      return run(operation, checked, call, { commandId: call.command.id, time: call.command.time, repeatable: true });
    // Nobody in particular has no keys of its own; a dry run has nothing to repeat.
    const key = operation.writes && principal !== undefined && !call.rehearsal ? call.idempotencyKey : undefined;
    if (key === undefined)
      return run(operation, checked, call, {
        commandId: call.commandId ?? (call.rehearsal ? rehearsedId(operation, checked) : call.requestId),
        time: now(),
        repeatable: false,
      });

    const claim = await idempotency.claim(principal!, key, call.fingerprint());
    if (claim.answer) return claim.answer;
    try {
      const answered = await run(operation, checked, call, {
        commandId: claim.commandId,
        time: claim.time,
        repeatable: true,
      });
      await claim.settle(answered);
      return answered;
    } catch (error) {
      await claim.abandon();
      throw error;
    }
  }

  async function run(
    operation: Operation,
    given: Record<string, unknown>,
    call: Call,
    { commandId, time, repeatable }: { commandId: string; time: number; repeatable: boolean },
  ): Promise<Answered> {
    const { version, input } = expectedIn(operation, given);
    const expected = version === undefined ? {} : await expectedBy(operation, input, call, version);
    const written: { position?: Position | undefined } = {};
    const context: Context = {
      caller: call.caller,
      commandId,
      time,
      cause: { ...causeOf(call, repeatable), ...expected },
      address: call.address,
      ...(call.bytes && { bytes: call.bytes() }),
      header: call.header,
      wrote: (at) => {
        if (at !== undefined && (written.position === undefined || written.position <= at)) written.position = at;
      },
      reserveIds: (sequence, count) =>
        call.rehearsal ? Promise.resolve(idsOfNothing(count)) : reserveIds(sequence.name, count, commandId, repeatable),
    };
    const awaited = call.rehearsal ? [] : (operation.awaits ?? []);
    const done = awaited.length > 0 ? progress.expect(awaited) : undefined;
    // Not awaited here: the input may be large, and must not be held while the caller waits for the outcome.
    const running = begin(operation, input, context);
    const after = operation.after && !call.rehearsal ? complete(operation, input, context) : undefined;
    const finished = finish(running, written, awaited, { isRehearsal: call.rehearsal !== undefined, after });
    return done ? finished.finally(done) : finished;
  }

  async function finish(
    running: Promise<unknown>,
    written: { readonly position?: Position | undefined },
    awaited: readonly string[],
    { isRehearsal, after }: { readonly isRehearsal: boolean; readonly after: Complete | undefined },
  ): Promise<Answered> {
    const result = await running;
    const { position } = written;
    if (position !== undefined)
      await Promise.all(awaited.map((projection) => progress.waitFor(projection, position, WRITE_WAIT_MS)));
    return { result: after ? await after(result) : result, position: isRehearsal ? undefined : position };
  }

  async function waitForPosition({ reads = [] }: Operation, position: string | undefined): Promise<void> {
    if (position === undefined || reads.length === 0) return;
    if (!log.isPosition(position)) throw fieldError('INVALID_POSITION', 'x-event-position', {}, '');
    const reached = await Promise.all(reads.map((projection) => progress.waitFor(projection, position, 0)));
    if (reached.every(Boolean)) return;
    if (position > (await log.head())) throw fieldError('POSITION_AHEAD', 'x-event-position', {}, '');
    const caughtUp = await Promise.all(reads.map((projection) => progress.waitFor(projection, position, READ_WAIT_MS)));
    if (!caughtUp.every(Boolean)) throw new ApiError('NOT_CAUGHT_UP', { headers: { 'Retry-After': '1' } });
  }
}

/** The version that a change is meant for is checked for the operation, which does not see it; others have it as theirs. */
function expectedIn({ versioned }: Operation, given: Record<string, unknown>) {
  if (!versioned) return { version: undefined, input: given };
  const { [IF_VERSION]: version, ...input } = given;
  return { version, input };
}

type Complete = (result: unknown) => Promise<unknown>;

/** Adds to the result of a write what it changed. */
const complete =
  (operation: Operation, input: Record<string, unknown>, context: Context): Complete =>
  (result) =>
    operation.after!(input, result as Record<string, unknown>, context);

/** Also what an operation throws at once is a rejection. */
const begin = async (operation: Operation, input: Record<string, unknown>, context: Context): Promise<unknown> =>
  operation.run(input, context);

/** Ids that are never given out: a rehearsal uses none up. */
const idsOfNothing = (count: number): number[] => Array.from({ length: count }, (_, index) => MAX_ID - index);

/** The same rehearsal gives the same answer each time: a second look shows that nothing changed. */
const rehearsedId = ({ name }: Operation, input: unknown): string =>
  derivedId('rehearsal', name, JSON.stringify(input));
