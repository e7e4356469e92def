/** The HTTP routes of the servers: checks of a request before the protocol layer sees it. */
import express, { type NextFunction, type Router, type Request, type Response } from 'express';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { countRefused } from '../core/uncounted-requests.js';
import type { ApiError } from '../core/errors.js';
import { pathOf, type Authenticate } from '../core/authenticate.js';
import { bodyOf, parseBody } from '../core/body.js';
import { bodyClientOf } from '../core/body-shares.js';
import { ANONYMOUS, type Caller } from '../core/callers.js';
import { addressOf } from '../core/client-address.js';
import { explained, isFailure, localizeField, toApiError } from '../core/problem.js';
import { chooseLanguage } from '../core/messages/index.js';
import { challengeOf } from './challenge.js';
import type { Gate } from './gate.js';
import { asksForStream, type OldTransport } from './old-transport.js';
import { streamOf } from './session.js';
import { JSON_RPC, pathsOf, rpcError, SERVERS, type RpcId, type ServerName } from './protocol.js';
import type { McpServing } from './server.js';

export interface McpRoutesOptions {
  readonly serving: McpServing;
  readonly gate: Gate;
  readonly authenticate: Authenticate;
  readonly oldTransport: OldTransport;
  /** Whether the origin of a request may call the servers. */
  readonly isAllowedOrigin: (request: Request) => boolean;
  readonly baseUrl: () => string;
  /** Counts a message by address if it does not reach the gate; throws RATE_LIMITED. */
  readonly count: (address: string) => Promise<unknown>;
  readonly onError: (error: ApiError, requestId: string) => void;
}

/** A substitute for the first message of a client of 2024-11-05, which arrives only after its stream is open. */
const FIRST_MESSAGE = {
  method: 'initialize',
  params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'unknown', version: '0' } },
};

export function mcpRoutes({
  serving,
  gate,
  authenticate,
  oldTransport,
  isAllowedOrigin,
  baseUrl,
  count,
  onError,
}: McpRoutesOptions): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const server of Object.keys(SERVERS) as ServerName[]) {
    for (const path of pathsOf(server)) {
      router.post(
        path,
        onlyKnownOrigins,
        (request, response, next) => void readBody(request, response).then(() => next(), next),
        (request, response, next) => void serve(server, path, request, response).catch(next),
      );
      router.get(path, onlyKnownOrigins, (request, response, next) =>
        asksForStream(request) ? void openStream(server, path, request, response).catch(next) : next(),
      );
      router.all(path, (request, response, next) =>
        counted(request, response, next, () =>
          refuse(response, 405, rpcError(null, JSON_RPC.refused, 'This address accepts only POST.'), { Allow: 'POST' }),
        ),
      );
      // Errors of the middleware of this address are also reported in the protocol's format.
      router.use(
        path,
        (thrown: unknown, request: Request, response: Response, _next: unknown) =>
          void countRefused(thrown, () => count(addressOf(request, response))).then((refusal) =>
            fail(refusal, path, request, response),
          ),
      );
    }
  }
  return router;

  function onlyKnownOrigins(request: Request, response: Response, next: NextFunction): void {
    if (isAllowedOrigin(request)) return next();
    const rejection = rpcError(null, JSON_RPC.refused, 'Requests from this origin or to this host are not allowed.');
    counted(request, response, next, () => refuse(response, 403, rejection));
  }

  function counted(request: Request, response: Response, next: NextFunction, answer: () => void): void {
    void count(addressOf(request, response)).then(answer, next);
  }

  /** Counts the body for the caller of the header. An invalid header is rejected later, with the id of the message. */
  async function readBody(request: Request, response: Response): Promise<void> {
    const caller = authenticate(request.headers.authorization, pathOf(request));
    response.locals['headerCaller'] = caller;
    const client = bodyClientOf(await caller.catch(() => ANONYMOUS), addressOf(request, response));
    await bodyOf(request, response, client);
  }

  async function serve(server: ServerName, path: string, request: Request, response: Response): Promise<void> {
    response.locals['route'] = path;
    response.setHeader('Cache-Control', 'no-store');
    const body = parseBody(request.body, request.get('content-type'), ['application/json']);
    try {
      const passed = await gate(server, body, request, {
        requestId: response.locals['requestId'] as string,
        headerCaller: response.locals['headerCaller'] as Promise<Caller>,
      });
      const { connection, message } = passed;
      const stream = streamOf(request);
      if (stream !== undefined) {
        await oldTransport.take(stream, passed, request);
        return void response.status(202).end();
      }
      // The client gets JSON, so a plain POST need not accept both media types of the protocol.
      request.headers.accept = 'application/json, text/event-stream';
      await toNodeHandler({ fetch: (webRequest) => serving.serve(webRequest, message, connection) })(
        request,
        response,
        message,
      );
    } catch (thrown) {
      fail(thrown, path, request, response, idOf(body));
    }
  }

  /** Applies the same checks as the first message of the later transport. */
  async function openStream(server: ServerName, path: string, request: Request, response: Response): Promise<void> {
    response.locals['route'] = path;
    try {
      const { connection } = await gate(server, FIRST_MESSAGE, request, {
        requestId: response.locals['requestId'] as string,
        headerCaller: authenticate(request.headers.authorization, pathOf(request)),
      });
      await oldTransport.open(connection.caller, request, response);
    } catch (thrown) {
      fail(thrown, path, request, response);
    }
  }

  function fail(thrown: unknown, path: string, request: Request, response: Response, id: RpcId = null): void {
    const error = toApiError(thrown);
    if (isFailure(error, response)) onError(error, response.locals['requestId'] as string);
    const language = chooseLanguage(request.get('accept-language'));
    const message = explained(error, language);
    refuse(
      response,
      error.status,
      rpcError(id, rpcCodeOf(error), message, {
        code: error.code,
        ...(error.errors.length > 0 && { errors: error.errors.map((field) => localizeField(field, language)) }),
      }),
      {
        ...error.headers,
        ...challengeOf(error, `${baseUrl()}/.well-known/oauth-protected-resource${path}`, (name) => request.get(name)),
      },
    );
  }
}

const refuse = (
  response: Response,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void =>
  void response
    .status(status)
    .set({ 'Cache-Control': 'no-store', ...headers })
    .json(body);

const idOf = (body: unknown): RpcId => {
  const id = (body as { id?: unknown } | null)?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};

function rpcCodeOf({ code, status }: ApiError): number {
  if (code === 'MALFORMED_JSON' || code === 'INVALID_ENCODING') return JSON_RPC.parse;
  if (code === 'TOO_DEEP') return JSON_RPC.invalidRequest;
  if (status === 400) return JSON_RPC.invalidParams;
  if (status === 500) return JSON_RPC.internal;
  return status === 413 || status === 415 ? JSON_RPC.refused : status;
}
