/** From a request to an operation's input: where each member stands, query text to numbers and booleans, what is wrong with it. */
import type { Request } from 'express';
import { z } from 'zod';
import { ApiError, fieldError, fieldOf, type FieldError } from '../errors.js';
import type { Operation } from '../operations/operation.js';
import { isStorable, parseBody } from './body.js';

const JSON_TYPES = ['application/json'];

/** How the members of an operation's input travel; worked out once. */
export interface Placement {
  readonly path: readonly string[];
  readonly query: readonly string[];
  readonly body: 'none' | 'members' | { readonly as: string };
}

export function placementOf({ rest, input }: Operation): Placement {
  const path = [...rest.path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const others = Object.keys(input.shape).filter((name) => !path.includes(name));
  const hasBody = rest.method === 'post' || rest.method === 'put';
  if (!hasBody) return { path, query: others, body: 'none' };
  return { path, query: rest.query ?? [], body: rest.body === undefined ? 'members' : { as: rest.body } };
}

/** Reads and checks the input; throws INVALID_INPUT with every field at fault, or what is wrong with the body. */
export function readInput(operation: Operation, placement: Placement, request: Request): Record<string, unknown> {
  // Without a prototype, so that a member named __proto__ is a member like any other.
  const raw = Object.create(null) as Record<string, unknown>;
  if (placement.body !== 'none') {
    const body = parseBody(request.body, request.get('content-type'), operation.rest.consumes ?? JSON_TYPES);
    if (placement.body === 'members') {
      if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiError('INVALID_INPUT', { errors: [{ field: 'body', path: '', code: 'INVALID_TYPE', params: { expected: 'object' } }] });
      // Path and query members cannot be overruled by the body.
      for (const [name, value] of Object.entries(body)) if (!placement.path.includes(name) && !placement.query.includes(name)) raw[name] = value;
    } else {
      raw[placement.body.as] = body;
    }
  }
  if (operation.rest.strictQuery) refuseUnknown(Object.keys(request.query), placement.query);
  for (const name of placement.query) {
    const value = request.query[name];
    if (value !== undefined) raw[name] = fromText(operation.input.shape[name] as z.ZodType, value);
  }
  for (const name of placement.path) raw[name] = request.params[name];
  for (const name of [...placement.path, ...placement.query]) {
    if ([raw[name]].flat().some((text) => typeof text === 'string' && !isStorable(text))) throw fieldError('INVALID_ENCODING', name);
  }
  const parsed = operation.input.safeParse(raw, { reportInput: true });
  if (parsed.success) return parsed.data as Record<string, unknown>;
  throw new ApiError('INVALID_INPUT', { errors: parsed.error.issues.flatMap(toFieldErrors) });
}

function refuseUnknown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new ApiError('INVALID_INPUT', { errors: unknown.map((name) => ({ field: name, path: '', code: 'UNKNOWN_PARAMETER', params: { allowed: known.join(', ') } })) });
}

/** Query values are text: a member that wants a number or a boolean gets one where the text is one. */
function fromText(schema: z.ZodType, value: unknown): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) return (Array.isArray(value) ? value : String(value).split(',')).map((item: unknown) => fromText(inner.element as z.ZodType, item));
  if (typeof value !== 'string') return value;
  if (inner instanceof z.ZodNumber && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (inner instanceof z.ZodBoolean && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

function unwrap(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable ? unwrap(schema.unwrap() as z.ZodType) : schema;
}

const pointer = (path: readonly PropertyKey[]): string => path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

type Issue = z.core.$ZodIssue;

function toFieldErrors(issue: Issue): FieldError[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ field: key, path: pointer([...issue.path, key]), code: 'UNKNOWN_FIELD', params: { field: key } }));
  const path = pointer(issue.path);
  return [{ field: fieldOf(path), path, ...codeOf(issue) }];
}

function codeOf(issue: Issue): Pick<FieldError, 'code' | 'params'> {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? { code: 'REQUIRED' } : { code: 'INVALID_TYPE', params: { expected: issue.expected } };
    case 'too_small':
      return { code: sized(issue.origin, 'TOO_FEW_ITEMS', 'TOO_SHORT', 'TOO_SMALL'), params: { min: Number(issue.minimum) } };
    case 'too_big':
      return { code: sized(issue.origin, 'TOO_MANY_ITEMS', 'TOO_LONG', 'TOO_BIG'), params: { max: Number(issue.maximum) } };
    case 'invalid_value':
      return { code: 'INVALID_VALUE', params: { allowed: issue.values.map(String).join(', ') } };
    default:
      return { code: 'INVALID_FORM' };
  }
}

const sized = (origin: string, list: string, text: string, number: string): string => (origin === 'array' || origin === 'set' ? list : origin === 'string' ? text : number);
