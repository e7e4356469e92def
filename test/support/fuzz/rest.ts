/** Requests to the operations of the API, generated from their schemas and from calls that succeed. */
import { z } from 'zod';
import type { Operation } from '../../../src/api/core/operation.js';
import { placementOf } from '../../../src/api/rest/input.js';
import { generate, type Known, type Schema } from './generate.js';
import { PROTOTYPE_NAMES, spoil, type Json } from './odd.js';
import { bodyOf, inAddress, oddHeaders, packed, type Shot, type Surface } from './request.js';

/** Calls that succeed, by operation. */
export type Sound = ReadonlyMap<string, readonly Sample[]>;
export interface Sample {
  readonly caller: string | undefined;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * Operations that end sessions and accounts, possibly the caller's own. Permitted callers never send them with valid
 * input.
 */
const ENDS = /^(userLogout|userPassword|userDisable|userSessions?End|privacySubjectErase|businessModuleSet)/;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

export function restSurface(
  operations: readonly Operation[],
  { sound, known, callers }: { sound: Sound; known: Known; callers: readonly (string | undefined)[] },
): Surface {
  const all = operations.map((operation) => ({
    operation,
    placement: placementOf(operation),
    schema: z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }) as Schema,
    samples: sound.get(operation.name) ?? [],
  }));

  return (dice) => {
    const { operation, placement, schema, samples } = dice.pick(all);
    const sample = samples.length > 0 && !dice.once(3) ? dice.pick(samples) : undefined;
    let input = (sample ? structuredClone(sample.input) : generate(schema, dice, known)) as Json;
    const ends = ENDS.test(operation.name);
    if (ends || dice.below(4) > 0) input = spoil(input, dice);
    const caller = sample && !ends && dice.below(4) > 0 ? sample.caller : dice.pick(callers);
    const members: Record<string, Json> =
      typeof input === 'object' && input !== null ? { ...(input as Record<string, Json>) } : { body: input };
    const path = operation.rest.path.replace(/[:*](\w+)/g, (_all, name: string) => {
      const value = members[name] ?? dice.pick(known.get(name) ?? ['1']);
      delete members[name];
      return inAddress(value, dice);
    });
    const query: string[] = [];
    for (const name of Object.keys(members)) {
      if (!placement.query.includes(name) && placement.body !== 'none') continue;
      query.push(`${inAddress(name, dice)}=${inAddress(members[name], dice)}`);
      if (dice.once(30)) query.push(`${name}=1`, `${name}[]=2`, `${name}[__proto__]=3`);
      delete members[name];
    }
    if (dice.once(20)) query.push(`${dice.pick(PROTOTYPE_NAMES)}=1`);
    const body = placement.body === 'none' ? undefined : bodyOf(wholeBody(placement.body, members), dice);
    const shot: Shot = {
      name: operation.name,
      method: dice.once(25) ? dice.pick(METHODS) : operation.rest.method.toUpperCase(),
      path: `/api${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      caller,
      headers: {
        ...(body && { 'content-type': operation.rest.consumes?.[0] ?? 'application/json' }),
        ...oddHeaders(dice),
      },
      ...(body && { body }),
    };
    return packed(shot, dice);
  };
}

const wholeBody = (body: 'members' | { readonly as: string }, members: Record<string, Json>): Json =>
  body === 'members' ? members : (members[body.as] ?? members);
