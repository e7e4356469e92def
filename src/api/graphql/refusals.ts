/**
 * What graphql-js finds wrong with a document, as errors of ours: an argument's value as INVALID_INPUT that names the
 * argument, as REST names the member; all else as GRAPHQL_INVALID with the text of graphql-js, which is in English.
 */
import { Kind, visit, type ASTNode, type DocumentNode, type GraphQLError } from 'graphql';
import { ApiError, type FieldError } from '../core/errors.js';

const MAX_REASON = 200;

/** Types of GraphQL by the names that the input check gives them. */
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

/** One refusal for all arguments at fault, one for each other fault. */
export function refusalsOf(errors: readonly GraphQLError[], document: DocumentNode | undefined): Refusal[] {
  const told = errors.map((error) => ({ error, field: document && fieldErrorOf(error, document) }));
  const fields = told.flatMap(({ field }) => (field ? [field] : []));
  const others = told
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
  // Of these alone the value is at fault, and not the document.
  return type === undefined && !/^(Expected|Value is not|Variable "\$\w+" got invalid)/.test(message)
    ? undefined
    : { field, path, code: 'INVALID_TYPE', params: { expected: EXPECTED[type ?? ''] ?? 'object' } };
}

/**
 * Arguments and input fields around a node, outermost first; [] for a field itself; undefined where no argument is
 * meant.
 */
function placeOf(node: ASTNode, document: DocumentNode): string[] | undefined {
  const target = node.kind === Kind.VARIABLE_DEFINITION ? node.variable.name.value : undefined;
  let found: string[] | undefined;
  visit(document, {
    enter(here, _key, parent, _path, ancestors) {
      if (found) return;
      const around = [...ancestors, parent, here].filter(
        (outer): outer is ASTNode => outer !== undefined && 'kind' in outer,
      );
      const isUse =
        target !== undefined &&
        here.kind === Kind.VARIABLE &&
        here.name.value === target &&
        !around.some(({ kind }) => kind === Kind.VARIABLE_DEFINITION);
      if (target === undefined ? here !== node : !isUse) return;
      found = around.flatMap((outer) =>
        outer.kind === Kind.ARGUMENT || outer.kind === Kind.OBJECT_FIELD ? [outer.name.value] : [],
      );
    },
  });
  return target !== undefined && !found?.length ? [target] : found;
}
