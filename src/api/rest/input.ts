/**
 * From a request to an operation's input: where each member comes from, query and path text to numbers and booleans.
 */
import type { Request } from 'express';
import { z } from 'zod';
import { ApiError, fieldError, invalidField } from '../core/errors.js';
import { refuseUnknown } from '../core/parameters.js';
import { IF_VERSION, type Operation } from '../core/operation.js';
import { FIELDS, resourceOf } from '../core/resource-fields.js';
import { isStorable, parseBody } from '../core/body.js';

const JSON_TYPES = ['application/json'];

/** How the members of an operation's input travel; worked out once. */
export interface Placement {
  readonly path: readonly string[];
  readonly query: readonly string[];
  readonly body: 'none' | 'members' | { readonly as: string };
  /** Query parameters that are no members of the input. */
  readonly beside: readonly string[];
}

export function placementOf(operation: Operation): Placement {
  const { rest, input } = operation;
  const beside = resourceOf(operation) ? [FIELDS] : [];
  const path = [...rest.path.matchAll(/[:*](\w+)/g)].map(([, name]) => name!);
  const isHeader = (name: string) => name === IF_VERSION && operation.versioned !== undefined;
  const others = Object.keys(input.shape).filter((name) => !path.includes(name) && !isHeader(name));
  const hasBody = rest.method === 'post' || rest.method === 'put' || rest.method === 'patch';
  if (!hasBody || rest.bytes !== undefined) return { path, query: others, body: 'none', beside };
  return { path, query: rest.query ?? [], body: rest.body === undefined ? 'members' : { as: rest.body }, beside };
}

/**
 * The members of the input, not checked yet; throws what is wrong with the body. `fields`: those of
 * a form.
 */
export function readInput(
  operation: Operation,
  placement: Placement,
  request: Request,
  fields: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  // Without a prototype, so that a member named __proto__ is a member like any other.
  const raw = Object.create(null) as Record<string, unknown>;
  if (placement.body !== 'none') {
    // A body whose every member may be absent may be absent itself.
    const nothing =
      placement.body === 'members' &&
      request.get('content-type') === undefined &&
      (!Buffer.isBuffer(request.body) || request.body.length === 0);
    const body = nothing
      ? {}
      : parseBody(request.body, request.get('content-type'), operation.rest.consumes ?? JSON_TYPES);
    if (placement.body === 'members') {
      if (typeof body !== 'object' || body === null || Array.isArray(body))
        throw new ApiError('INVALID_INPUT', {
          errors: [{ field: 'body', path: '', code: 'INVALID_TYPE', params: { expected: 'object' } }],
        });
      for (const [name, value] of Object.entries(body)) {
        // Path and query members cannot be overruled by the body. What an agent must say over MCP says nothing here,
        // and is no mistake.
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
  // Express parses the query each time that it is read.
  const { query } = request;
  if (operation.versioned && IF_VERSION in operation.input.shape) {
    // A header, as HTTP has it; a body may name the version as GraphQL and MCP do.
    const version = versionOf(request.get('if-match'));
    if (version !== undefined) raw[IF_VERSION] = version;
  }
  refuseUnknown(Object.keys(query), [...placement.query, ...placement.beside]);
  for (const name of placement.query) {
    const value = query[name] ?? fields[name];
    if (value !== undefined) raw[name] = fromText(operation.input.shape[name] as z.ZodType, value);
  }
  // A member that spans several segments may come as their list.
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
    if (typeof text === 'string' && !isStorable(text)) throw fieldError('INVALID_ENCODING', name);
}

/**
 * The version of an If-Match header; undefined: any. A weak tag names the same version: an ETag is weak where the
 * response was compressed. Throws INVALID_INPUT.
 */
function versionOf(tag: string | undefined): number | undefined {
  if (tag === undefined || tag.trim() === '*') return undefined;
  const [, digits] = /^(?:W\/)?"(-1|\d{1,10})"$/.exec(tag.trim()) ?? [];
  if (digits === undefined) throw invalidField('INVALID_FORM', 'if-match', '');
  return Number(digits);
}

/** Query values are text: a member that wants a number or a boolean gets one where the text is one. */
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
