/** One operation as an Express route: caller, limits, position, input, idempotency, run, answer. */
import type { Request, Response, Router } from 'express';
import type { EventLog, Position } from '../../events/log.js';
import type { Progress } from '../../projections/progress.js';
import { ApiError, fieldError } from '../errors.js';
import { isRepresentation, type Context, type Operation, type Representation } from '../operations/operation.js';
import type { Caller } from '../callers.js';
import { collectBody } from './body.js';
import { placementOf, readInput } from './input.js';
import type { Idempotency, StoredAnswer } from './idempotency.js';
import { sendRepresentation } from './representation.js';

export interface RouteOptions {
  readonly operation: Operation;
  /** The caller of an Authorization header; throws UNAUTHENTICATED for a wrong one. */
  readonly authenticate: (authorization: string | undefined) => Promise<Caller>;
  /** Throws RATE_LIMITED. */
  readonly limit: (kind: 'read' | 'write', client: string) => Promise<void>;
  readonly idempotency: Idempotency;
  readonly progress: Progress;
  readonly log: EventLog;
  readonly now: () => number;
  readonly baseUrl: () => string;
}

/** A caller's own write is waited for at most this long (G6). */
const WRITE_WAIT_MS = 2_000;
const READ_WAIT_MS = 5_000;

const POSITION = 'X-Event-Position';
/** JSON that no operation's answer has a media type of its own for. */
const JSON_TYPE = 'application/json; charset=utf-8';

export function mountOperation(router: Router, options: RouteOptions): void {
  const { operation } = options;
  const { method, path } = operation.rest;
  const placement = placementOf(operation);
  const route = `/api${path}`;

  async function serve(request: Request, response: Response): Promise<void> {
    response.locals['route'] = route;
    const kind = operation.writes ? 'write' : 'read';
    const address = request.ip ?? '';
    const caller = await options.authenticate(request.headers.authorization).catch(async (refusal: unknown) => {
      // Whoever tries keys is counted as well.
      await options.limit(kind, address);
      throw refusal;
    });
    await options.limit(kind, caller.role === 'anonymous' ? address : `provider:${caller.id}`);
    if (!operation.callers.includes(caller.role)) throw new ApiError(caller.role === 'anonymous' ? 'UNAUTHENTICATED' : 'FORBIDDEN', caller.role === 'anonymous' ? { headers: { 'WWW-Authenticate': 'Bearer' } } : {});
    await waitForPosition(request.get(POSITION), options);
    const input = readInput(operation, placement, request);
    const key = operation.writes ? request.get('Idempotency-Key') : undefined;
    if (key === undefined) return send(response, request, operation, await run(input, caller, request, response, {}));

    const claim = await options.idempotency.claim(principalOf(caller), key, fingerprintOf(request));
    if (claim.answer) return sendStored(response, claim.answer);
    try {
      const result = await run(input, caller, request, response, { commandId: claim.commandId, time: claim.time, key });
      const answer = storedAnswer(response, operation, result);
      await claim.settle(answer);
      sendStored(response, answer);
    } catch (error) {
      await claim.abandon();
      throw error;
    }
  }

  async function run(input: Record<string, unknown>, caller: Caller, request: Request, response: Response, first: { commandId?: string; time?: number; key?: string }): Promise<unknown> {
    const requestId = response.locals['requestId'] as string;
    let position: Position | undefined;
    const context: Context = {
      caller,
      commandId: first.commandId ?? requestId,
      time: first.time ?? options.now(),
      cause: {
        correlationId: requestId,
        actor: caller.role === 'provider' ? { kind: 'provider', id: caller.id, token: caller.keyId } : { kind: 'system', id: 'anonymous' },
        channel: 'rest',
        ...(first.key !== undefined && { idempotencyKey: first.key }),
      },
      header: (name) => request.get(name),
      wrote: (at) => (position = at),
    };
    const result = await operation.run(input, context);
    if (position !== undefined) {
      response.setHeader(POSITION, position);
      await Promise.all((operation.awaits ?? []).map((projection) => options.progress.waitFor(projection, position!, WRITE_WAIT_MS)));
    }
    return result;
  }

  async function waitForPosition(position: string | undefined, { log, progress }: RouteOptions): Promise<void> {
    if (position === undefined || !operation.reads) return;
    if (!log.isPosition(position)) throw fieldError('INVALID_POSITION', 'x-event-position', {}, '');
    const reached = await Promise.all(operation.reads.map((projection) => progress.waitFor(projection, position, 0)));
    if (reached.every(Boolean)) return;
    if (position > (await log.head())) throw fieldError('POSITION_AHEAD', 'x-event-position', {}, '');
    const caughtUp = await Promise.all(operation.reads.map((projection) => progress.waitFor(projection, position, READ_WAIT_MS)));
    if (!caughtUp.every(Boolean)) throw new ApiError('NOT_CAUGHT_UP', { headers: { 'Retry-After': '1' } });
  }

  router[method](path, ...(placement.body === 'none' ? [] : [collectBody]), (request, response, next) => void serve(request, response).catch(next));
}

/** Whose keys they are: an anonymous write has no claim to a key of its own. */
function principalOf(caller: Caller): string {
  if (caller.role === 'anonymous') throw new ApiError('UNAUTHENTICATED', { headers: { 'WWW-Authenticate': 'Bearer' } });
  return `provider:${caller.id}`;
}

/** The request to the byte, and where it went. */
const fingerprintOf = (request: Request): Buffer => Buffer.concat([Buffer.from(`${request.method} ${request.originalUrl}\n`), Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)]);

function send(response: Response, request: Request, { rest }: Operation, result: unknown): void {
  if (isRepresentation(result)) return sendRepresentation(request, response, result);
  response.status(rest.status ?? 200).set({ ...rest.headers?.(result as never) });
  response.setHeader('Content-Type', JSON_TYPE);
  response.setHeader('Vary', 'Accept, Accept-Language, Authorization');
  response.end(JSON.stringify(result));
}

function storedAnswer(response: Response, { rest }: Operation, result: unknown): StoredAnswer {
  const position = response.getHeader(POSITION);
  return { status: rest.status ?? 200, headers: { ...rest.headers?.(result as never), 'Content-Type': JSON_TYPE, ...(typeof position === 'string' && { [POSITION]: position }) }, body: JSON.stringify(isRepresentation(result) ? (result as Representation).body.toString() : result) };
}

function sendStored(response: Response, { status, headers, body }: StoredAnswer): void {
  response.status(status).set(headers).end(body);
}
