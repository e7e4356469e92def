/**
 * Converts errors of graphql-js to errors of this API. An invalid value of an argument becomes INVALID_INPUT with the
 * name of the argument, as REST names the member. Every other error becomes GRAPHQL_INVALID with the English text of
 * graphql-js.
 */
import { Kind, visit, type ASTNode, type DocumentNode, type GraphQLError } from 'graphql';
import { ApiError, type FieldError } from '../core/errors.js';

const MAX_REASON = 200;

/** GraphQL types by the names that the input check uses for them. */
const EXPECTED: Readonly<Record<string, string>> = {
  String: 'string',
  Boolean: 'boolean',
  Float: 'number',
  Int: 'integer',
  SafeInt: 'integer',
};

export interface Refusal {
  readonly error: ApiError;
  readonly source?: GraphQLError;
}

/** One refusal for all invalid arguments, and one for each other error. */
export function refusalsOf(errors: readonly GraphQLError[], document: DocumentNode | undefined): Refusal[] {
  const classified = errors.map((error) => ({ error, field: document && fieldErrorOf(error, document) }));
  const fields = classified.flatMap(({ field }) => (field ? [field] : []));
  const others = classified
    .filter(({ field }) => !field)
    .map(({ error }) => ({
      error: new ApiError('GRAPHQL_INVALID', {
        params: { reason: error.message.slice(0, MAX_REASON).replace(/\.$/, '') },
      }),
      source: error,
    }));
  return [...(fields.length > 0 ? [{ error: new ApiError('INVALID_INPUT', { errors: fields }) }] : []), ...others];
}

function fieldErrorOf({ message, nodes: [node] = [] }: GraphQLError, document: DocumentNode): FieldError | undefined {
  const missing = /argument "(\w+)" of type .* is required|Field "\w+\.(\w+)" of required type/.exec(message);
  const unknown = /Field "(\w+)" is not defined by type/.exec(message);
  const place = node && placeOf(node, document);
  if (place === undefined) return undefined;
  const inVariable =
    /^Variable "\$\w+" got invalid value .* at "\w+((?:\.\w+|\[\d+\])+)";/s
      .exec(message)?.[1]
      ?.split(/[.[\]]+/)
      .filter(Boolean) ?? [];
  const segments = [
    ...place,
    ...inVariable,
    ...(missing ? [missing[1] ?? missing[2]!] : []),
    ...(unknown && place.at(-1) !== unknown[1] ? [unknown[1]!] : []),
  ];
  const field = segments.at(-1);
  if (field === undefined) return undefined;
  const path = `/${segments.join('/')}`;
  if (unknown) return { field, path, code: 'UNKNOWN_FIELD', params: { field } };
  if (missing || /was not provided|must not be null|found null|to be non-null|not to be null/.test(message))
    return { field, path, code: 'REQUIRED' };
  const type =
    /(?:^|; )(\w+) cannot represent/.exec(message)?.[1] ?? /Expected (?:value of )?type "\[?(\w+)/.exec(message)?.[1];
  // Only these messages are about the value; the others are about the document.
  return type === undefined && !/^(Expected|Value is not|Variable "\$\w+" got invalid)/.test(message)
    ? undefined
    : { field, path, code: 'INVALID_TYPE', params: { expected: EXPECTED[type ?? ''] ?? 'object' } };
}

/**
 * Names of the arguments and input fields around a node, outermost first; [] for a field itself; undefined if the node
 * is not in an argument.
 */
function placeOf(node: ASTNode, document: DocumentNode): string[] | undefined {
  const target = node.kind === Kind.VARIABLE_DEFINITION ? node.variable.name.value : undefined;
  let found: string[] | undefined;
  visit(document, {
    enter(here, _key, parent, _path, ancestors) {
      if (found) return;
      const ancestorNodes = [...ancestors, parent, here].filter(
        (outer): outer is ASTNode => outer !== undefined && 'kind' in outer,
      );
      const isUse =
        target !== undefined &&
        here.kind === Kind.VARIABLE &&
        here.name.value === target &&
        !ancestorNodes.some(({ kind }) => kind === Kind.VARIABLE_DEFINITION);
      if (target === undefined ? here !== node : !isUse) return;
      found = ancestorNodes.flatMap((outer) =>
        outer.kind === Kind.ARGUMENT || outer.kind === Kind.OBJECT_FIELD ? [outer.name.value] : [],
      );
    },
  });
  return target !== undefined && !found?.length ? [target] : found;
}
