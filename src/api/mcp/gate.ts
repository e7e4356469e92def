/**
 * Authenticates a request and decides whether its calls are allowed. This happens before the protocol layer sees the
 * request, so that HTTP can report errors.
 */
import { isSpecType, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import type { Request } from 'express';
import { derivedId } from '../../events/otep/identity.js';
import { pathOf } from '../core/authenticate.js';
import { isUser, type Caller } from '../core/callers.js';
import { ApiError, fieldError, invalidForm } from '../core/errors.js';
import type { Parts } from '../core/parts.js';
import type { Quota } from '../core/rate-limit.js';
import { PROFILE_NAMES, type Profile } from '../core/scopes.js';
import { REQUEST_PROFILE } from './capabilities.js';
import type { Catalogue } from './catalogue.js';
import { challengeScopes } from './challenge.js';
import { firstScopes, isOn, narrowed, type Connection } from './connection.js';
import { isPublicPath, type ServerName } from './protocol.js';
import { streamOf } from './session.js';
import { requireProfile } from './step-up.js';
import { authorizeTool } from './tool.js';

export interface GateOptions extends Parts<'authenticate' | 'now'> {
  readonly catalogue: Catalogue;
  /** Quotas per second and token, for messages and for calls of high-risk tools. */
  readonly quotas: { readonly messages: Quota; readonly highRisk: Quota };
}

export interface AdmittedRequest {
  readonly connection: Connection;
  /** The message or the batch, without deprecated arguments. */
  readonly message: unknown;
}

/**
 * Throws the errors of the request as a whole: UNAUTHENTICATED, INSUFFICIENT_SCOPE, FORBIDDEN, RATE_LIMITED, and
 * invalid headers.
 */
export type Gate = (
  server: ServerName,
  body: unknown,
  request: Request,
  details: {
    readonly requestId: string;
    /** The caller of the Authorization header. Rejects with UNAUTHENTICATED. */
    readonly headerCaller: Promise<Caller>;
  },
) => Promise<AdmittedRequest>;

/** The argument `api_token` is rejected from this time on. Milliseconds since 1970. */
export const API_TOKEN_UNTIL = Date.parse('2027-01-01T00:00:00Z');

interface ToolCall {
  readonly name: unknown;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

export function createGate({ catalogue, authenticate, quotas, now }: GateOptions): Gate {
  return async (server, body, request, { requestId, headerCaller }) => {
    // A rejection is reported where the caller is used; until then it must not count as unhandled.
    headerCaller.catch(() => {});
    const header = (name: string) => request.get(name);
    const address = request.ip ?? '';
    /** Invalid messages and failed authentications count against the limit, too. */
    const refuse = (count: number) => async (refusal: unknown) => {
      await quotas.messages(address, count);
      throw refusal;
    };
    const { messages, calls, tokenArgument } = await Promise.resolve()
      .then(() => parseRequest(body, request, now()))
      .catch(refuse(1));
    const byArgument = request.headers.authorization === undefined && tokenArgument !== undefined;
    const authenticated = await (
      byArgument ? authenticate(`Bearer ${tokenArgument}`, pathOf(request)) : headerCaller
    ).catch(refuse(messages.length));
    const principal = isUser(authenticated)
      ? authenticated.tokenId
      : authenticated.role === 'provider'
        ? authenticated.keyId
        : address;
    await quotas.messages(principal, messages.length);
    if (authenticated.role === 'anonymous' && !isPublicPath(pathOf(request)) && messages.some(opensConnection))
      throw new ApiError('UNAUTHENTICATED', { params: { scopes: firstScopes(header).join(' ') } });
    // The SDK would report an invalid form as an internal error.
    if (messages.some((message) => !isRemovedMethod(message) && FORMS.get(methodOf(message))?.(message) === false))
      throw invalidForm(
        'params',
        'the parameters of this method, such as {"name": "get_orders", "arguments": {}} for tools/call',
      );
    const caller = narrowed(authenticated, header);
    const calledTools = calls.flatMap(({ name }) =>
      typeof name === 'string' ? (catalogue.find(server, name) ?? []) : [],
    );
    for (const tool of calledTools)
      try {
        authorizeTool(tool, caller);
      } catch (refusal) {
        throw challengeScopes(refusal, tool.scopes, authenticated, header);
      }
    if (isUser(authenticated) && authenticated.tokenKind === 'oauth' && catalogue.find(server, 'get_capabilities'))
      for (const profile of calls.flatMap(requestedProfile)) requireProfile(profile, authenticated, header);
    const risky = calledTools.filter(({ risk }) => risk === 'high').length;
    if (risky > 0) await quotas.highRisk(principal, risky);

    let made = 0;
    const connection: Connection = {
      server,
      caller,
      profile: header('x-mcp-profile'),
      dryRun: isOn(header, 'x-mcp-dry-run'),
      requireApproval: isOn(header, 'x-mcp-require-approval'),
      isDetailed: isOn(header, 'x-mcp-tool-details'),
      countHighRisk: () => quotas.highRisk(principal),
      call: {
        channel: 'mcp',
        address,
        header,
        position: header('x-event-position'),
        ...(calls.length === 1 && { idempotencyKey: header('idempotency-key') }),
      },
      nextRequestId: () => (made++ === 0 ? requestId : derivedId('mcp batch', requestId, made)),
    };
    return {
      connection,
      message: tokenArgument === undefined ? body : Array.isArray(body) ? body.map(withoutToken) : withoutToken(body),
    };
  };
}

interface ParsedRequest {
  readonly messages: readonly unknown[];
  readonly calls: readonly ToolCall[];
  /** The token in an argument. */
  readonly tokenArgument: string | undefined;
}

/** Throws INVALID_INPUT, NO_BATCHES, ID_REPEATED, ONE_CALLER, API_TOKEN_RETIRED, UNAUTHENTICATED. */
function parseRequest(body: unknown, request: Request, now: number): ParsedRequest {
  if (typeof body !== 'object' || body === null) throw new ApiError('INVALID_INPUT', { errors: [notAnObject] });
  const messages = Array.isArray(body) ? batchOf(body, request) : [body];
  const calls = messages.flatMap((message) => callIn(message) ?? []);
  const tokens = calls.map((call) => (isMembers(call.arguments) ? call.arguments['api_token'] : undefined));
  const tokenArgument = tokens.find((token) => token !== undefined);
  // A batch has one caller: no call may run with the token of another call in the batch.
  if (request.headers.authorization === undefined && tokens.some((token) => token !== tokenArgument))
    throw fieldError('ONE_CALLER', 'api_token', {}, '');
  if (tokenArgument !== undefined && now >= API_TOKEN_UNTIL) throw new ApiError('API_TOKEN_RETIRED');
  if (tokenArgument !== undefined && typeof tokenArgument !== 'string') throw new ApiError('UNAUTHENTICATED');
  return { messages, calls, tokenArgument };
}

/**
 * A host opens a connection with one of these methods and shows a sign-in page after 401. Later it calls only the tools
 * that were listed. Single calls of public tools need no connection.
 */
const opensConnection = (message: unknown): boolean =>
  ['initialize', 'server/discover'].includes(methodOf(message) as string);

/** The profile that a call of get_capabilities requests. An invalid one is rejected with the other arguments. */
const requestedProfile = ({ name, arguments: args }: ToolCall): readonly Profile[] => {
  const profile = name === 'get_capabilities' && isMembers(args) ? args[REQUEST_PROFILE] : undefined;
  return PROFILE_NAMES.filter((one) => one === profile);
};

const FORMS = new Map<unknown, (message: unknown) => boolean>([
  ['initialize', isSpecType.InitializeRequest],
  ['ping', isSpecType.PingRequest],
  ['server/discover', isSpecType.DiscoverRequest],
  ['tools/list', isSpecType.ListToolsRequest],
  ['tools/call', isSpecType.CallToolRequest],
]);

/** Version 2026-07-28 has no handshake: the SDK responds to such clients that the method does not exist. */
const isRemovedMethod = (message: unknown): boolean => {
  if (!isMembers(message) || !['initialize', 'ping'].includes(message['method'] as string)) return false;
  const { params } = message;
  return isMembers(params) && isMembers(params['_meta']) && PROTOCOL_VERSION_META_KEY in params['_meta'];
};

const methodOf = (message: unknown): unknown => (isMembers(message) ? message['method'] : undefined);

/**
 * The only version of the protocol with batches. As the protocol requires, it is assumed if the client names no
 * version.
 */
const BATCH_VERSION = '2025-03-26';

/** Throws NO_BATCHES, and ID_REPEATED if two requests have the same id, because their responses would be ambiguous. */
function batchOf(messages: readonly unknown[], request: Request): readonly unknown[] {
  const version = request.get('mcp-protocol-version') ?? BATCH_VERSION;
  if (version !== BATCH_VERSION || streamOf(request) !== undefined)
    throw fieldError('NO_BATCHES', 'body', { version: BATCH_VERSION }, '');
  const ids = messages.flatMap((message) => (isMembers(message) && message['id'] !== undefined ? [message['id']] : []));
  if (new Set(ids).size < ids.length) throw fieldError('ID_REPEATED', 'id', {}, '');
  return messages;
}

const notAnObject = { field: 'body', path: '', code: 'INVALID_TYPE', params: { expected: 'object' } };

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function callIn(message: unknown): ToolCall | undefined {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: unknown };
  return method === 'tools/call' && isMembers(params) ? (params as unknown as ToolCall) : undefined;
}

function withoutToken(message: unknown): unknown {
  const call = callIn(message);
  if (call?.arguments?.['api_token'] === undefined) return message;
  const { api_token: _token, ...rest } = call.arguments;
  return { ...(message as object), params: { ...call, arguments: rest } };
}
