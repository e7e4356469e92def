/**
 * Converts a request's body to an executable document. Checks the form of the body, the limits, and the rules of
 * graphql-js and of this service.
 */
import {
  getOperationAST,
  getVariableValues,
  GraphQLError,
  Kind,
  parse,
  specifiedRules,
  validate,
  VariablesInAllowedPositionRule,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import QuickLRU from 'quick-lru';
import { z } from 'zod';
import { ApiError } from '../core/errors.js';
import { checkInput } from '../core/check-input.js';
import { checkShape } from './document-shape.js';
import { checkLimits, LIMITS, tooComplex } from './limits.js';
import { refusalsOf, type Refusal } from './refusals.js';
import { checkIntrospection, rootFieldsOf } from './root-introspection.js';
import { VariablesInAllowedPosition } from './variables.js';

export interface Prepared {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
  readonly query: string;
  /** Whether the operation contains only introspection, and its result is too large for the main thread. */
  readonly isLargeIntrospection: boolean;
}

/** Thrown for a request that is not executed. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(readonly refusals: readonly Refusal[]) {
    super(refusals.map(({ error }) => error.code).join());
  }
}

const RULES = specifiedRules.map((rule) =>
  rule === VariablesInAllowedPositionRule ? VariablesInAllowedPosition : rule,
);
/** Each error may take a comparison with all names of the schema. */
const MAX_ERRORS = 10;
const MAX_CACHED_DOCUMENTS = 500;
/** Longer documents are rare and not worth the memory. Characters. */
const MAX_CACHED_LENGTH = 10_000;

const paramsSchema = z.object({
  query: z.string().min(1),
  operationName: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  extensions: z.record(z.string(), z.unknown()).nullish(),
});

/**
 * Reads the parsed body of a request. Throws ApiError for an invalid body or an exceeded limit, and Refused for errors
 * in the document.
 */
export function createDocuments(schema: GraphQLSchema): (body: unknown) => Prepared {
  const validated = new QuickLRU<string, DocumentNode>({ maxSize: MAX_CACHED_DOCUMENTS });

  return (body) => {
    const { query, operationName, variables } = checkInput({ input: paramsSchema }, body) as z.infer<
      typeof paramsSchema
    >;
    const values = variables ?? {};
    const document = withinStack(() => documentOf(query, values));
    const operation = getOperationAST(document, operationName);
    if (!operation)
      throw refused(
        [
          new GraphQLError(
            operationName
              ? `Unknown operation named "${operationName.slice(0, 64)}".`
              : 'Must provide operation name if query contains multiple operations.',
          ),
        ],
        document,
      );
    const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], values, {
      maxErrors: MAX_ERRORS,
    });
    if (errors) throw refused(errors, document);
    return {
      document,
      operation,
      variables: values,
      operationName: operationName ?? undefined,
      query,
      isLargeIntrospection: isLargeIntrospection(document, operation, values),
    };
  };

  /** Throws QUERY_TOO_COMPLEX for large introspection next to other fields. */
  function isLargeIntrospection(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
  ): boolean {
    const root = rootFieldsOf(document, operation);
    try {
      checkIntrospection(schema, document, root, { variables, limit: 'introspection_inline' });
      return false;
    } catch (error) {
      if (root.others || !(error instanceof ApiError)) throw error;
      return true;
    }
  }

  function documentOf(query: string, variables: Readonly<Record<string, unknown>>): DocumentNode {
    const known = validated.get(query);
    const document = known ?? parsed(query);
    // Checked each time, because the cost of a document depends on its variables.
    checkLimits(schema, document, variables);
    if (known) return known;
    checkShape(document);
    const errors = validate(schema, document, RULES, { maxErrors: MAX_ERRORS });
    if (errors.length > 0) throw refused(errors, document);
    if (query.length <= MAX_CACHED_LENGTH) validated.set(query, document);
    return document;
  }
}

/** Reports a stack overflow as an exceeded depth: only a deeply nested query overflows the stack. */
function withinStack<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw tooComplex('depth');
    throw error;
  }
}

function parsed(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: LIMITS.tokens });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    if (error.message.includes('tokens. Parsing aborted')) throw tooComplex('tokens');
    throw refused([error], undefined);
  }
}

const refused = (errors: readonly GraphQLError[], document: DocumentNode | undefined): Refused =>
  new Refused(refusalsOf(errors.slice(0, MAX_ERRORS), document));

/** Throws NOT_ACCEPTABLE if the kind of operation does not match the media type of the response. */
export function checkTransport({ operation }: OperationDefinitionNode, streamed: boolean): void {
  if ((operation === 'subscription') === streamed) return;
  const allowed = streamed ? 'application/json, application/graphql-response+json' : 'text/event-stream';
  throw new ApiError('NOT_ACCEPTABLE', {
    params: { allowed },
    errors: [{ field: 'accept', path: '', code: 'NOT_ACCEPTABLE', params: { allowed } }],
  });
}

/** Whether the operation has only one field. Fragments are not resolved. */
export const hasOneField = ({ selectionSet: { selections } }: OperationDefinitionNode): boolean =>
  selections.length === 1 && selections[0]!.kind === Kind.FIELD;
