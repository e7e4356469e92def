/** Executes introspection in a worker thread: the result of all types takes a tenth of a second or more. */
import { parentPort, workerData } from 'node:worker_threads';
import { buildSchema, execute, getOperationAST, parse } from 'graphql';
import { ApiError } from '../core/errors.js';
import { checkIntrospection, rootFieldsOf } from './root-introspection.js';

export interface IntrospectionWork {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}
/** The response as JSON, or that the result exceeds the limit. */
export type IntrospectionResult = { readonly json: string } | 'too large';

const schema = buildSchema(workerData as string, { assumeValid: true, noLocation: true });

async function resultOf({ query, operationName, variables }: IntrospectionWork): Promise<IntrospectionResult> {
  const document = parse(query, { noLocation: true });
  const operation = getOperationAST(document, operationName)!;
  try {
    checkIntrospection(schema, document, rootFieldsOf(document, operation), { variables, limit: 'introspection' });
  } catch (error) {
    if (error instanceof ApiError) return 'too large';
    throw error;
  }
  const { data } = await execute({ schema, document, variableValues: variables, operationName });
  return { json: JSON.stringify({ data }) };
}

parentPort!.on('message', (work: IntrospectionWork) => void resultOf(work).then((r) => parentPort!.postMessage(r)));
