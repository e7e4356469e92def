/** The metadata of the events that a call causes, and the version that the call expects of the changed resource. */
import type { Cause } from '../../commands/core/handle.js';
import { isUser, type Caller } from './callers.js';
import type { Call } from './call.js';
import type { Operation } from './operation.js';

export function causeOf(
  { caller, requestId, causationId, channel, idempotencyKey, dryRun }: Call,
  keyed: boolean,
): Cause {
  return {
    correlationId: requestId,
    ...(causationId !== undefined && { causationId }),
    actor: actorOf(caller),
    channel,
    ...(isUser(caller) && caller.businessId !== undefined && { business: String(caller.businessId) }),
    ...(keyed && idempotencyKey !== undefined && { idempotencyKey }),
    ...(dryRun && { dryRun }),
  };
}

/** `version`: `if_version` of the input. */
export async function expectedBy(
  { versioned }: Operation,
  input: Readonly<Record<string, unknown>>,
  { caller }: Call,
  version: unknown,
): Promise<Pick<Cause, 'expected'>> {
  if (!versioned || typeof version !== 'number') return {};
  const stream = await versioned.stream(input, caller);
  if (stream === undefined) return {};
  const { code, part } = versioned;
  return { expected: { stream, version, code, ...(part && { part: part(input) }) } };
}

function actorOf(caller: Caller): Cause['actor'] {
  if (isUser(caller)) return { kind: 'user', id: String(caller.userId), role: caller.role, token: caller.tokenId };
  return caller.role === 'provider'
    ? { kind: 'provider', id: caller.id, token: caller.keyId }
    : { kind: 'system', id: 'anonymous' };
}
