/** One operation as an Express route: who calls, what with, and the answer as HTTP. */
import type { Request, RequestHandler, Response } from 'express';
import { pathOf, type Authenticate } from '../core/authenticate.js';
import { principalOf } from '../core/callers.js';
import { admit, limitKind } from '../core/invoke.js';
import { isRepresentation, isStreamed, type Answered, type Operation } from '../core/operation.js';
import { neverCompress } from '../core/compression.js';
import { bodyOf, leave } from '../core/collect-body.js';
import type { Parts } from '../core/parts.js';
import { FIELDS, resourceOf, selectionOf, type Select } from '../core/resource-fields.js';
import { placementOf, readInput } from './input.js';
import { uploadOf, type Upload } from './upload.js';
import { sendPieces } from './pieces.js';
import { sendRepresentation } from '../core/representation.js';

export interface RouteOptions extends Parts<'limit' | 'invoke' | 'baseUrl'> {
  readonly operation: Operation;
  /** The caller of an Authorization header; throws UNAUTHENTICATED for a wrong one. */
  readonly authenticate: Authenticate;
}

const POSITION = 'X-Event-Position';
/** JSON that no operation's answer has a media type of its own for. */
const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers a request to the operation, whose path parameters are in `request.params`. */
export function operationHandler({ operation, authenticate, limit, invoke }: RouteOptions): RequestHandler {
  const { path, bytes, problemType } = operation.rest;
  const placement = placementOf(operation);
  const selection = selectionOf(operation);
  const route = `/api${path}`;

  async function serve(request: Request, response: Response): Promise<void> {
    response.locals['route'] = route;
    response.locals['problemType'] = problemType;
    if (operation.returnsCredential) neverCompress(response);
    const address = (response.locals['address'] as string | undefined) ?? request.ip ?? '';
    const counted = (left: Readonly<Record<string, string>>) => {
      for (const name in left) response.setHeader(name, left[name]!);
    };
    const caller = await authenticate(request.headers.authorization, pathOf(request)).catch(
      async (refusal: unknown) => {
        // Whoever tries keys is counted as well.
        counted(await limit(limitKind(operation), address));
        throw refusal;
      },
    );
    response.locals['caller'] = principalOf(caller);
    let upload: Upload | undefined;
    try {
      // Nobody's body is read who may not call at all.
      admit(operation, caller);
      if (placement.body !== 'none') await bodyOf(request, response);
      if (bytes !== undefined) upload = await uploadOf(request, response, bytes);
    } catch (refusal) {
      leave(response);
      counted(await limit(limitKind(operation), principalOf(caller) ?? address));
      throw refusal;
    }
    const selected: { by?: Select } = {};
    const read = () => {
      const { [FIELDS]: fields } = request.query;
      if (selection && fields !== undefined) selected.by = selection([fields].flat().join(','));
      return readInput(operation, placement, request, upload?.fields);
    };
    const answered = await invoke(operation, read, {
      ...(upload && { bytes: () => upload.bytes }),
      caller,
      address,
      channel: 'rest',
      requestId: response.locals['requestId'] as string,
      header: (name) => request.get(name),
      position: request.get(POSITION),
      counted,
      idempotencyKey: request.get('Idempotency-Key'),
      fingerprint: () => fingerprintOf(request, upload?.same),
    });
    if (isStreamed(answered.result)) await sendPieces(request, response, answered.result);
    else send(response, request, operation, answered, selected.by);
  }

  return (request, response, next) => void serve(request, response).catch(next);
}

/** The request to the byte (of a form: what it says), and where it went. */
const fingerprintOf = (request: Request, body: unknown = request.body): Buffer =>
  Buffer.concat([
    Buffer.from(`${request.method} ${request.originalUrl}\n`),
    Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  ]);

interface WithVersion {
  readonly version?: number;
}

/** Of the resource of a detail; a list that is one resource has it beside the list. */
function versionIn(operation: Operation, result: unknown): number | undefined {
  if (!operation.versioned || operation.writes) return undefined;
  const whole = result as WithVersion & Readonly<Record<string, WithVersion | undefined>>;
  return whole[resourceOf(operation)?.name ?? '']?.version ?? whole.version;
}

function send(
  response: Response,
  request: Request,
  operation: Operation,
  { result, position }: Answered,
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
  // Also what answers no key: a sign-in is answered with one.
  if (request.headers.authorization !== undefined || request.method !== 'GET')
    response.setHeader('Cache-Control', 'no-store');
  response.end(JSON.stringify(select(result)));
}
