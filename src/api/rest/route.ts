/** One operation as an Express route: authentication, input, and the HTTP response. */
import type { Request, RequestHandler, Response } from 'express';
import { pathOf, type Authenticate } from '../core/authenticate.js';
import { principalOf } from '../core/callers.js';
import { authorize, limitKind } from '../core/invoke.js';
import { isRepresentation, isStreamed, type OperationResult, type Operation } from '../core/operation.js';
import { neverCompress } from '../core/compression.js';
import { addressOf } from '../core/client-address.js';
import { bodyClientOf } from '../core/body-shares.js';
import { bodyOf, endUnlessBodyArrives } from '../core/collect-body.js';
import type { Parts } from '../core/parts.js';
import { EXPAND, expansionOf } from '../core/expand.js';
import { FIELDS, resourceOf, selectionOf, type Select } from '../core/resource-fields.js';
import { placementOf, readInput } from './input.js';
import { rawBodyOf, uploadOf, type Upload } from './upload.js';
import { sendPieces } from './pieces.js';
import { sendRepresentation } from '../core/representation.js';

export interface RouteOptions extends Parts<'limit' | 'invoke' | 'baseUrl'> {
  readonly operation: Operation;
  /** The caller of an Authorization header; throws UNAUTHENTICATED for an invalid one. */
  readonly authenticate: Authenticate;
}

const POSITION = 'X-Event-Position';
/** Media type of responses that are JSON, except representations with a media type of their operation. */
const JSON_TYPE = 'application/json; charset=utf-8';

/** Handles a request to the operation. Its path parameters are in `request.params`. */
export function operationHandler({ operation, authenticate, limit, invoke }: RouteOptions): RequestHandler {
  const { path, bytes, raw = false, beforeUpload, problemType } = operation.rest;
  const placement = placementOf(operation);
  const selection = selectionOf(operation);
  const route = `/api${path}`;

  async function serve(request: Request, response: Response): Promise<void> {
    response.locals['route'] = route;
    response.locals['problemType'] = problemType;
    if (operation.returnsCredential) neverCompress(response);
    const address = addressOf(request, response);
    const counted = (limitHeaders: Readonly<Record<string, string>>) => {
      for (const name in limitHeaders) response.setHeader(name, limitHeaders[name]!);
    };
    const caller = await authenticate(request.headers.authorization, pathOf(request)).catch(
      async (refusal: unknown) => {
        // Requests with invalid credentials count against the limit, too.
        counted(await limit(limitKind(operation), address));
        throw refusal;
      },
    );
    response.locals['caller'] = principalOf(caller);
    let upload: Upload | undefined;
    try {
      // The body of a caller without permission is not read.
      authorize(operation, caller);
      const client = bodyClientOf(caller, address);
      if (placement.body !== 'none') await bodyOf(request, response, client);
      if (bytes !== undefined) {
        const maxBytes = beforeUpload?.(request.query, caller) ?? bytes;
        upload = await (raw ? rawBodyOf : uploadOf)(request, response, client, maxBytes);
      }
    } catch (refusal) {
      endUnlessBodyArrives(request, response);
      counted(await limit(limitKind(operation), principalOf(caller) ?? address));
      throw refusal;
    }
    const selected: { by?: Select } = {};
    // Express parses the query each time that it is read.
    const { [FIELDS]: fields, [EXPAND]: expand } = request.query;
    const expansion =
      operation.relations && expand !== undefined ? expansionOf(operation, [expand].flat().join(',')) : undefined;
    const read = () => {
      expansion?.check();
      if (selection && fields !== undefined) selected.by = selection([fields].flat().join(','), expansion?.names);
      return readInput(operation, placement, request, upload?.fields);
    };
    const answered = await invoke(expansion?.operation ?? operation, read, {
      ...(upload && { bytes: () => upload.bytes }),
      caller,
      address,
      channel: 'rest',
      requestId: response.locals['requestId'] as string,
      header: (name) => request.get(name),
      position: request.get(POSITION),
      counted,
      idempotencyKey: request.get('Idempotency-Key'),
      fingerprint: () => fingerprintOf(request, upload?.fingerprintSource),
    });
    if (isStreamed(answered.result)) await sendPieces(request, response, answered.result);
    else send(response, request, operation, answered, selected.by);
  }

  return (request, response, next) => void serve(request, response).catch(next);
}

/** The bytes of the request (for a form: its parts), its method and its path. */
const fingerprintOf = (request: Request, body: unknown = request.body): Buffer =>
  Buffer.concat([
    Buffer.from(`${request.method} ${request.originalUrl}\n`),
    Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  ]);

interface WithVersion {
  readonly version?: number;
}

/** Version of the resource in a detail response; a list that is one resource has it next to the list. */
function versionIn(operation: Operation, result: unknown): number | undefined {
  if (!operation.versioned || operation.writes) return undefined;
  const whole = result as WithVersion & Readonly<Record<string, WithVersion | undefined>>;
  return whole[resourceOf(operation)?.name ?? '']?.version ?? whole.version;
}

function send(
  response: Response,
  request: Request,
  operation: Operation,
  { result, position }: OperationResult,
  select: Select = (whole) => whole,
): void {
  const { rest } = operation;
  if (position !== undefined) response.setHeader(POSITION, position);
  if (isRepresentation(result)) return sendRepresentation(request, response, result);
  response.status(rest.status ?? 200).set({ ...rest.headers?.(result as never) });
  const version = versionIn(operation, result);
  if (version !== undefined) response.setHeader('ETag', `"${version}"`);
  response.setHeader('Content-Type', JSON_TYPE);
  response.setHeader('Vary', 'Accept, Accept-Language, Authorization, Accept-Encoding');
  // A response without authentication may contain a credential, too: the response of a sign-in does.
  if (request.headers.authorization !== undefined || request.method !== 'GET')
    response.setHeader('Cache-Control', 'no-store');
  response.end(JSON.stringify(select(result)));
}
