/**
 * Reads an operation's input from a request: the source of each member, and conversion of text in path and query to
 * numbers and booleans.
 */
import type { Request } from 'express';
import { z } from 'zod';
import { ApiError, explainedError, invalidForm } from '../core/errors.js';
import { refuseUnknown } from '../core/parameters.js';
import { IF_VERSION, type Operation } from '../core/operation.js';
import { EXPAND } from '../core/expand.js';
import { FIELDS, resourceOf } from '../core/resource-fields.js';
import { wrongType } from '../core/check-input.js';
import { isStorable, parseBody } from '../core/body.js';

const JSON_TYPES = ['application/json'];

/** The source of each member of an operation's input; computed once per operation. */
export interface Placement {
  readonly path: readonly string[];
  readonly query: readonly string[];
  readonly body: 'none' | 'members' | { readonly as: string };
  /** Query parameters that are not members of the input. */
  readonly otherParameters: readonly string[];
}

/** Whether the member is the expected version, which REST clients send in the header If-Match. */
const isHeader = ({ versioned }: Operation, name: string): boolean => name === IF_VERSION && versioned !== undefined;

/** Members of the input that the body contains: all that are not in path, query or header. */
export function bodyMembersOf(operation: Operation, { path, query }: Pick<Placement, 'path' | 'query'>): string[] {
  return Object.keys(operation.input.shape).filter(
    (name) => !path.includes(name) && !query.includes(name) && !isHeader(operation, name),
  );
}

export function placementOf(operation: Operation): Placement {
  const { rest, input } = operation;
  const otherParameters = [...(resourceOf(operation) ? [FIELDS] : []), ...(operation.relations ? [EXPAND] : [])];
  const path = [...rest.path.matchAll(/[:*](\w+)/g)].map(([, name]) => name!);
  const others = Object.keys(input.shape).filter((name) => !path.includes(name) && !isHeader(operation, name));
  const hasBody = rest.method === 'post' || rest.method === 'put' || rest.method === 'patch';
  if (!hasBody || rest.bytes !== undefined) return { path, query: others, body: 'none', otherParameters };
  return {
    path,
    query: rest.query ?? [],
    body: rest.body === undefined ? 'members' : { as: rest.body },
    otherParameters,
  };
}

/** The unchecked members of the input; throws errors of the body. `fields`: the fields of a form. */
export function readInput(
  operation: Operation,
  placement: Placement,
  request: Request,
  fields: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  // Without a prototype, so that a member named __proto__ is an ordinary member.
  const raw = Object.create(null) as Record<string, unknown>;
  if (placement.body !== 'none') {
    // If every member of the body is optional, the body itself is optional.
    const isEmpty =
      placement.body === 'members' &&
      request.get('content-type') === undefined &&
      (!Buffer.isBuffer(request.body) || request.body.length === 0);
    const body = isEmpty
      ? {}
      : parseBody(request.body, request.get('content-type'), operation.rest.consumes ?? JSON_TYPES);
    if (placement.body === 'members') {
      if (typeof body !== 'object' || body === null || Array.isArray(body))
        throw new ApiError('INVALID_INPUT', { errors: [{ field: 'body', path: '', ...wrongType('object', body) }] });
      for (const [name, value] of Object.entries(body)) {
        // The body cannot override members of path and query. `confirm` is required over MCP only, so it is accepted
        // and ignored here.
        if (
          !placement.path.includes(name) &&
          !placement.query.includes(name) &&
          !(name === 'confirm' && operation.confirm)
        )
          raw[name] = value;
      }
    } else {
      raw[placement.body.as] = body;
    }
  }
  // Read once, because Express parses the query at each access.
  const { query } = request;
  if (operation.versioned && IF_VERSION in operation.input.shape) {
    // HTTP sends the version in a header; the body may also contain it, as in GraphQL and MCP.
    const version = versionOf(request.get('if-match'));
    if (version !== undefined) raw[IF_VERSION] = version;
  }
  refuseUnknown(Object.keys(query), [...placement.query, ...placement.otherParameters]);
  for (const name of placement.query) {
    const value = query[name] ?? fields[name];
    if (value !== undefined) raw[name] = fromText(operation.input.shape[name] as z.ZodType, value);
  }
  // A member that spans several segments may arrive as a list of them.
  for (const name of placement.path) {
    const value = request.params[name];
    raw[name] = fromText(operation.input.shape[name] as z.ZodType, Array.isArray(value) ? value.join('/') : value);
  }
  for (const name of placement.path) expectStorable(name, raw[name]);
  for (const name of placement.query) expectStorable(name, raw[name]);
  return raw;
}

function expectStorable(name: string, value: unknown): void {
  for (const text of Array.isArray(value) ? (value as unknown[]) : [value])
    if (typeof text === 'string' && !isStorable(text)) throw explainedError('INVALID_ENCODING', 'INVALID_TEXT', name);
}

/**
 * The version in an If-Match header; undefined: any version. A weak tag has the same version: an ETag is weak if the
 * response was compressed. Throws INVALID_INPUT.
 */
function versionOf(tag: string | undefined): number | undefined {
  if (tag === undefined || tag.trim() === '*') return undefined;
  const [, digits] = /^(?:W\/)?"(-1|\d{1,10})"$/.exec(tag.trim()) ?? [];
  if (digits === undefined) throw invalidForm('if-match', 'the ETag of the resource, such as `"17"`', '');
  return Number(digits);
}

/** Converts query text to a number or a boolean if the schema requires one and the text represents one. */
function fromText(schema: z.ZodType, value: unknown): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray)
    return (Array.isArray(value) ? value : String(value).split(',')).map((item: unknown) =>
      fromText(inner.element as z.ZodType, item),
    );
  if (typeof value !== 'string') return value;
  if (inner instanceof z.ZodNumber && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (inner instanceof z.ZodBoolean && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

function unwrap(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? unwrap(schema.unwrap() as z.ZodType)
    : schema;
}
