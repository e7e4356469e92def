/** Requests to the operations of the API, generated from their schemas and from calls that succeed. */
import { z } from 'zod';
import type { Operation } from '../../../src/api/core/operation.js';
import { placementOf } from '../../../src/api/rest/input.js';
import { generate, type KnownValues, type Schema } from './generate.js';
import { PROTOTYPE_NAMES, mutate, type Json } from './unusual-values.js';
import { bodyOf, inAddress, oddHeaders, packed, type FuzzRequest, type RequestGenerator } from './request.js';

/** Calls that succeed, by operation. */
export type ValidInputs = ReadonlyMap<string, readonly Sample[]>;
export interface Sample {
  readonly caller: string | undefined;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * Operations that end sessions and accounts, possibly the caller's own. Permitted callers never send them with valid
 * input.
 */
const ENDING_OPERATIONS =
  /^(userLogout|userPassword|userDisable|userSessions?End|privacySubjectErase|businessModuleSet)/;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

export function restRequests(
  operations: readonly Operation[],
  {
    validInputs,
    known,
    callers,
  }: { validInputs: ValidInputs; known: KnownValues; callers: readonly (string | undefined)[] },
): RequestGenerator {
  const all = operations.map((operation) => ({
    operation,
    placement: placementOf(operation),
    schema: z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }) as Schema,
    samples: validInputs.get(operation.name) ?? [],
  }));

  return (random) => {
    const { operation, placement, schema, samples } = random.pick(all);
    const sample = samples.length > 0 && !random.oneIn(3) ? random.pick(samples) : undefined;
    let input = (sample ? structuredClone(sample.input) : generate(schema, random, known)) as Json;
    const ends = ENDING_OPERATIONS.test(operation.name);
    if (ends || random.below(4) > 0) input = mutate(input, random);
    const caller = sample && !ends && random.below(4) > 0 ? sample.caller : random.pick(callers);
    const members: Record<string, Json> =
      typeof input === 'object' && input !== null ? { ...(input as Record<string, Json>) } : { body: input };
    const path = operation.rest.path.replace(/[:*](\w+)/g, (_all, name: string) => {
      const value = members[name] ?? random.pick(known.get(name) ?? ['1']);
      delete members[name];
      return inAddress(value, random);
    });
    const query: string[] = [];
    for (const name of Object.keys(members)) {
      if (!placement.query.includes(name) && placement.body !== 'none') continue;
      query.push(`${inAddress(name, random)}=${inAddress(members[name], random)}`);
      if (random.oneIn(30)) query.push(`${name}=1`, `${name}[]=2`, `${name}[__proto__]=3`);
      delete members[name];
    }
    if (random.oneIn(20)) query.push(`${random.pick(PROTOTYPE_NAMES)}=1`);
    const body = placement.body === 'none' ? undefined : bodyOf(wholeBody(placement.body, members), random);
    const fuzzRequest: FuzzRequest = {
      name: operation.name,
      method: random.oneIn(25) ? random.pick(METHODS) : operation.rest.method.toUpperCase(),
      path: `/api${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      caller,
      headers: {
        ...(body && { 'content-type': operation.rest.consumes?.[0] ?? 'application/json' }),
        ...oddHeaders(random),
      },
      ...(body && { body }),
    };
    return packed(fuzzRequest, random);
  };
}

const wholeBody = (body: 'members' | { readonly as: string }, members: Record<string, Json>): Json =>
  body === 'members' ? members : (members[body.as] ?? members);
