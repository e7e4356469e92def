/** Calls the operations of the fields of Query and Mutation, in the same way as a REST route, once per field. */
import DataLoader from 'dataloader';
import type { GraphQLResolveInfo, OperationDefinitionNode } from 'graphql';
import { z } from 'zod';
import { derivedId } from '../../events/otep/identity.js';
import type { Position } from '../../events/core/log.js';
import type { Caller } from '../core/callers.js';
import { ApiError } from '../core/errors.js';
import type { Invoke } from '../core/invoke.js';
import { isRepresentation, type Operation, type Representation, type Target } from '../core/operation.js';
import { toApiError } from '../core/problem.js';
import { loadAll, type Id } from '../core/relations.js';
import { hasOneField } from './documents.js';
import { toArgumentError, toInput } from './input.js';
import { LIMITS, tooComplex } from './limits.js';
import type { GraphQLContext } from './schema.js';

export interface RequestFacts {
  readonly caller: Caller;
  readonly requestId: string;
  readonly address: string;
  /** Header of the request by lower-case name. */
  readonly header: (name: string) => string | undefined;
}

export interface Calls {
  readonly call: GraphQLContext['call'];
  readonly load: GraphQLContext['load'];
  /** Number of operations called so far. */
  readonly count: () => number;
  /** Position of the latest write. */
  readonly position: () => Position | undefined;
  /** Whether a called operation returns a credential. */
  readonly returnedCredential: () => boolean;
}

/**
 * Headers about the body and the response of the HTTP request: these belong to GraphQL, so operations do not see them.
 */
const NOT_THE_OPERATIONS = /^(accept|content-.*|if-.*)$/;

/** The ids of a batch come from responses, not from the caller. */
const BATCH = z.object({});

export function createCalls(
  invoke: Invoke,
  { caller, requestId, address, header }: RequestFacts,
  document: OperationDefinitionNode,
): Calls {
  let count = 0;
  let latest: Position | undefined;
  let credential = false;
  const key = header('idempotency-key');
  const isOnly = hasOneField(document);

  async function call(
    operation: Operation,
    args: Readonly<Record<string, unknown>>,
    { path }: GraphQLResolveInfo,
  ): Promise<unknown> {
    const place = String(path.key);
    if (operation.returnsCredential) credential = true;
    // Two writes of one request are two commands, each with a separate id and a separate idempotency key.
    const commandId = count++ === 0 ? requestId : derivedId('graphql', requestId, place);
    try {
      const { result, position } = await invoke(operation, () => toInput(operation, args), {
        caller,
        address,
        channel: 'graphql',
        requestId,
        commandId,
        header: (name) => (NOT_THE_OPERATIONS.test(name) ? undefined : header(name)),
        position: header('x-event-position'),
        idempotencyKey: key === undefined || isOnly ? key : `${key}#${place}`,
        fingerprint: () => Buffer.from(`graphql ${operation.name}\n${JSON.stringify(args)}`),
      });
      if (position !== undefined && (latest === undefined || position > latest)) latest = position;
      return isRepresentation(result) ? documentOf(result, operation) : result;
    } catch (thrown) {
      const { code, params, says, errors, headers, members, cause } = toApiError(thrown);
      throw new ApiError(code, {
        params,
        ...(says !== undefined && { says }),
        headers,
        members,
        cause,
        errors: errors.map((error) => toArgumentError(operation, error)),
      });
    }
  }

  const loaders = new Map<Target, DataLoader<Id, unknown>>();
  let loaded = 0;

  /** Each object once a request, and those of the same moment by one call. */
  function load(target: Target, id: Id): Promise<unknown> {
    const loader = loaders.get(target) ?? new DataLoader((ids: readonly Id[]) => loadBatch(target, ids));
    loaders.set(target, loader);
    return loader.load(id);
  }

  async function loadBatch(target: Target, ids: readonly Id[]): Promise<unknown[]> {
    loaded += ids.length;
    if (loaded > LIMITS.expanded) throw tooComplex('expanded');
    const batch: Operation = {
      ...target.read,
      input: BATCH,
      output: z.unknown(),
      run: async (_input, context) => {
        const objects = await loadAll(target, ids, context);
        return ids.map((one) => objects.get(one));
      },
    };
    try {
      const { result } = await invoke(batch, () => ({}), {
        caller,
        address,
        channel: 'graphql',
        requestId,
        header: () => undefined,
        // The objects must include an earlier write of the same request.
        position: latest ?? header('x-event-position'),
        fingerprint: () => Buffer.alloc(0),
      });
      return result as unknown[];
    } catch (thrown) {
      const { status } = toApiError(thrown);
      if (status < 500 && status !== 429) return ids.map(() => null);
      throw thrown;
    }
  }

  return { call, load, count: () => count, position: () => latest, returnedCredential: () => credential };
}

/** JSON and text stay unchanged; other bytes become base64. */
function documentOf({ body, mediaType }: Representation, { output }: Operation): unknown {
  if (mediaType.startsWith('text/')) return body.toString();
  // A file replaces the members that the query selects: only REST can return it.
  if (output instanceof z.ZodObject && !/json/.test(mediaType))
    throw new ApiError('NOT_ACCEPTABLE', {
      params: { allowed: 'application/json' },
      errors: [{ field: 'format', path: '/format', code: 'NOT_ACCEPTABLE', params: { allowed: 'application/json' } }],
    });
  return /^[^;]*[/+]json\b/.test(mediaType)
    ? JSON.parse(body.toString())
    : { mediaType, base64: body.toString('base64') };
}
