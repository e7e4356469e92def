/**
 * The path of every call, independent of the interface: rate limit, permissions, the caller's position, input,
 * idempotency, execution, and the wait for the caller's own write. Only this module checks roles, scopes and modules.
 */
import { derivedId } from '../../events/otep/identity.js';
import { MAX_ID } from './ids.js';
import { withTimeout } from '../../engines/timeouts.js';
import type { Position } from '../../events/core/log.js';
import type { Family } from '../../events/pricing/families.js';
import { timeLimits } from '../../events/core/time-limits.js';
import type { Parts } from '../../projections/core/parts.js';
import { isUser, principalOf, type Caller } from './callers.js';
import { ApiError, fieldError } from './errors.js';
import { checkInput } from './check-input.js';
import type { Idempotency } from './idempotency.js';
import type { Call } from './call.js';
import { causeOf, expectedBy } from './cause.js';
import { IF_VERSION, type OperationResult, type Context, type Operation } from './operation.js';
import { hideEvents } from './hidden-events.js';
import { hidingOf } from './prices.js';
import type { Limit } from './rate-limit.js';

/** Maximum wait for the caller's own write (G6). */
const WRITE_WAIT_MS = 2_000;
const READ_WAIT_MS = 5_000;

export interface Invoke {
  /**
   * Runs a call. `input` is called once the caller is permitted, and may throw. Throws ApiError and the errors of the
   * operation.
   */
  (operation: Operation, input: () => unknown, call: Call): Promise<OperationResult>;
}

export interface InvokeOptions extends Parts<'progress' | 'log' | 'now'> {
  readonly limit: Limit;
  readonly idempotency: Idempotency;
  /** Order families whose prices the customer does not see. */
  readonly hiddenFamilies: (customerId: number) => Promise<ReadonlySet<Family>>;
  /**
   * Milliseconds after which a call is answered with UNAVAILABLE, even if an engine hangs. The call itself continues,
   * so a write may still take effect; a retry does not repeat it.
   */
  readonly timeoutMs?: number;
  /** Ids for a command; a `repeatable` command gets the same ids every time. */
  readonly reserveIds: (
    sequence: string,
    count: number,
    commandId: string,
    repeatable: boolean,
  ) => Promise<readonly number[]>;
}

/** The kind of rate limit that counts calls of the operation. */
export const limitKind = ({ writes, limitedAs }: Operation): 'read' | 'write' =>
  writes ? 'write' : (limitedAs ?? 'read');

/**
 * Throws UNAUTHENTICATED, FORBIDDEN, INSUFFICIENT_SCOPE or MODULE_OFF unless the caller may call the operation at all.
 * The operation itself decides about single resources.
 */
export function authorize(operation: Operation, caller: Caller): void {
  if (!operation.callers.includes(caller.role))
    throw caller.role === 'anonymous' ? signInRequired() : forbiddenRole(operation, caller);
  if (!isUser(caller)) return;
  const missing = (operation.scopes ?? []).filter((scope) => !caller.scopes.has(scope));
  if (missing.length > 0)
    throw new ApiError('INSUFFICIENT_SCOPE', {
      params: { scopes: missing.join(' ') },
      headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${missing.join(' ')}"` },
    });
  if (operation.loginOnly && caller.tokenKind !== 'login') throw new ApiError('FORBIDDEN', { says: 'LOGIN_ONLY' });
  if (operation.module !== undefined && !caller.modules.has(operation.module))
    throw new ApiError('MODULE_OFF', { params: { module: operation.module } });
}

/** The roles that may call are public: the OpenAPI document lists them. */
const forbiddenRole = ({ callers }: Operation, { role }: Caller): ApiError =>
  new ApiError('FORBIDDEN', { says: 'FOR_CALLERS', params: { callers: callers.join(', '), role } });

export const signInRequired = (): ApiError =>
  new ApiError('UNAUTHENTICATED', { headers: { 'WWW-Authenticate': 'Bearer' } });

export function createInvoke({
  limit,
  idempotency,
  hiddenFamilies,
  progress,
  log,
  now,
  timeoutMs = timeLimits().responseMs,
  reserveIds,
}: InvokeOptions): Invoke {
  return (operation, input, call) =>
    withTimeout(
      handle(operation, input, call).then((answer) => withoutHiddenPrices(operation, answer, call)),
      timeoutMs + (operation.waits ?? 0) * 1_000,
      () => new ApiError('UNAVAILABLE', { headers: { 'Retry-After': '1' } }),
    );

  /**
   * A stored response is reduced, too: the business may have hidden prices since. Bytes are not: an operation that
   * returns them to customers contains no prices. The events of a dry run are reduced in place.
   */
  async function withoutHiddenPrices(
    { output }: Operation,
    answer: OperationResult,
    { caller, dryRun }: Pick<Call, 'caller' | 'dryRun'>,
  ): Promise<OperationResult> {
    const hide = hidingOf(output);
    if (caller.role !== 'customer' || !isUser(caller) || (!hide && !dryRun)) return answer;
    const hidden = await hiddenFamilies(caller.userId);
    if (dryRun) hideEvents(dryRun, hidden);
    return hide ? { ...answer, result: hide(answer.result, hidden) } : answer;
  }

  /** Throws PRICE_HIDDEN_SETTLE_OFFLINE for a payment by a customer who does not see the price. */
  async function mustSeePrices({ pays }: Operation, caller: Caller): Promise<void> {
    if (pays === undefined || caller.role !== 'customer' || !isUser(caller)) return;
    if ((await hiddenFamilies(caller.userId)).has(pays)) throw new ApiError('PRICE_HIDDEN_SETTLE_OFFLINE');
  }

  async function handle(operation: Operation, input: () => unknown, call: Call): Promise<OperationResult> {
    const { caller } = call;
    const principal = principalOf(caller);
    const limitHeaders = await limit(limitKind(operation), principal ?? call.address);
    call.counted?.(limitHeaders);
    authorize(operation, caller);
    await mustSeePrices(operation, caller);
    await waitForPosition(operation, call.position);
    const checked = checkInput(operation, input());
    // The request itself is already counted.
    const further = (operation.units?.(checked) ?? 1) - 1;
    if (further > 0) call.counted?.(await limit(limitKind(operation), principal ?? call.address, further));
    if (call.command)
      return run(operation, checked, call, { commandId: call.command.id, time: call.command.time, repeatable: true });
    // An anonymous caller has no keys, and a dry run has nothing to repeat.
    const key = operation.writes && principal !== undefined && !call.dryRun ? call.idempotencyKey : undefined;
    if (key === undefined)
      return run(operation, checked, call, {
        commandId: call.commandId ?? (call.dryRun ? dryRunId(operation, checked) : call.requestId),
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
      await (operation.readsAgain ? claim.abandon() : claim.settle(answered));
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
  ): Promise<OperationResult> {
    const { version, input } = splitVersion(operation, given);
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
        call.dryRun ? Promise.resolve(unassignedIds(count)) : reserveIds(sequence.name, count, commandId, repeatable),
    };
    const awaited = call.dryRun ? [] : (operation.awaits ?? []);
    const done = awaited.length > 0 ? progress.expect(awaited) : undefined;
    // Neither call is awaited in this function: its frame would keep the input, which may be large, in memory while the
    // caller waits for the outcome.
    const running = runAsync(operation, input, context);
    const after = operation.after && !call.dryRun ? complete(operation, input, context) : undefined;
    const finished = finish(running, written, awaited, { isDryRun: call.dryRun !== undefined, after });
    return done ? finished.finally(done) : finished;
  }

  async function finish(
    running: Promise<unknown>,
    written: { readonly position?: Position | undefined },
    awaited: readonly string[],
    { isDryRun, after }: { readonly isDryRun: boolean; readonly after: Complete | undefined },
  ): Promise<OperationResult> {
    const result = await running;
    const { position } = written;
    if (position !== undefined)
      await Promise.all(awaited.map((projection) => progress.waitFor(projection, position, WRITE_WAIT_MS)));
    return { result: after ? await after(result) : result, position: isDryRun ? undefined : position };
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

/**
 * Separates `if_version` from the input. The command handler checks it, so a versioned operation does not receive it.
 * An operation without versions keeps a member of that name.
 */
function splitVersion({ versioned }: Operation, given: Record<string, unknown>) {
  if (!versioned) return { version: undefined, input: given };
  const { [IF_VERSION]: version, ...input } = given;
  return { version, input };
}

type Complete = (result: unknown) => Promise<unknown>;

/** Adds the changed resource to the result of a write. */
const complete =
  (operation: Operation, input: Record<string, unknown>, context: Context): Complete =>
  (result) =>
    operation.after!(input, result as Record<string, unknown>, context);

/** Turns an exception that the operation throws synchronously into a rejection. */
const runAsync = async (operation: Operation, input: Record<string, unknown>, context: Context): Promise<unknown> =>
  operation.run(input, context);

/** Ids that are never assigned: a dry run does not consume ids. */
const unassignedIds = (count: number): number[] => Array.from({ length: count }, (_, index) => MAX_ID - index);

/**
 * Derived from the input, so that equal dry runs return equal responses. A repeated dry run thus shows whether anything
 * changed.
 */
const dryRunId = ({ name }: Operation, input: unknown): string => derivedId('rehearsal', name, JSON.stringify(input));
