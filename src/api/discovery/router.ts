/** The public discovery endpoints for machines (specification 1, "Discovery endpoints"). */
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import QuickLRU from 'quick-lru';
import type { Catalogue } from '../mcp/catalogue.js';
import { CATEGORIES } from '../mcp/definition.js';
import { SERVERS, type ServerName } from '../mcp/protocol.js';
import type { Tool } from '../mcp/tool.js';
import { constant, sendConstant, type Constant } from '../core/constant.js';
import { ApiError, fieldError } from '../core/errors.js';
import { refuseUnknown } from '../core/parameters.js';
import { once } from '../core/once.js';
import type { Parts } from '../core/parts.js';
import { PROFILES, type Profile, type Scope } from '../core/scopes.js';
import { annotated, capabilities, catalogueHash, llmsText, manifest } from './documents.js';
import { PROTECTED_RESOURCE_PATHS, protectedResources } from './protected-resource.js';
import { FORMAT_NAMES, toolFormat } from './tool-formats.js';

export interface DiscoveryOptions extends Parts<'baseUrl' | 'version'> {
  /** Counts a request by address; throws RATE_LIMITED. */
  readonly refusalLimit: RequestHandler;
  readonly catalogue: Catalogue;
  readonly openApi: () => Record<string, unknown>;
  /** The GraphQL schema with hints; absent: GraphQL is disabled. */
  readonly graphql?: (() => string) | undefined;
  readonly skill: () => { readonly text: string; readonly hash: string };
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

export function discoveryRouter({
  refusalLimit,
  catalogue,
  openApi,
  graphql,
  skill,
  baseUrl,
  version,
}: DiscoveryOptions): Router {
  const router = express.Router({ caseSensitive: true });
  const about = () => ({
    catalogue,
    baseUrl: baseUrl(),
    version,
    skillHash: skill().hash,
    graphql: graphql !== undefined,
  });

  serve(
    ['/api/.well-known/ai-tools.json', '/.well-known/ai-tools.json'],
    JSON_TYPE,
    once(() => JSON.stringify(manifest(about()))),
  );
  serve(
    ['/llms.txt'],
    TEXT_TYPE,
    once(() => llmsText(about())),
  );
  serve(
    ['/api/ai/capabilities'],
    JSON_TYPE,
    once(() => JSON.stringify(capabilities(catalogue))),
  );
  serve(['/api/ai/tools'], JSON_TYPE, (request) => JSON.stringify(toolsFor(catalogue, request, version)), {
    parameters: ['format', 'server', 'category', 'profile'],
  });
  serve(
    ['/api/ai/tools/openapi'],
    JSON_TYPE,
    once(() => JSON.stringify(annotated(openApi(), catalogue))),
  );
  if (graphql) serve(['/api/ai/tools/graphql'], TEXT_TYPE, once(graphql));
  serve(['/api/ai-skill'], MARKDOWN, () => skill().text, {
    headers: { 'Content-Disposition': 'attachment; filename="open-transport-skill.md"' },
  });
  for (const path of PROTECTED_RESOURCE_PATHS)
    serve([path], JSON_TYPE, () => JSON.stringify(protectedResources(baseUrl()).get(path)));
  return router;

  function serve(
    paths: readonly string[],
    mediaType: string,
    text: (request: Request) => string,
    { headers = {}, parameters }: Served = {},
  ): void {
    const route = paths[0]!;
    const known = new QuickLRU<string, Constant>({ maxSize: MAX_KEPT });
    router.get([...paths], refusalLimit, async (request: Request, response: Response) => {
      response.locals['route'] = route;
      if (parameters) refuseUnknown(Object.keys(request.query), parameters);
      const content = text(request);
      const document = known.get(content) ?? constant(content, mediaType);
      known.set(content, document);
      await sendConstant(request, response, document, { 'Cache-Control': 'public, max-age=300', ...headers });
    });
    router.all([...paths], (request) => {
      throw new ApiError('METHOD_NOT_ALLOWED', {
        params: { method: request.method, allowed: 'GET, HEAD' },
        headers: { Allow: 'GET, HEAD' },
      });
    });
  }
}

/** Maximum number of texts per address that are cached with their compressed forms. */
const MAX_KEPT = 16;

interface Served {
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Known query parameters, others are rejected. Absent: all are ignored, so that parameters added to links
   * (`utm_source`) do no harm.
   */
  readonly parameters?: readonly string[];
}

/** Tool definitions in the format of an AI system. Throws UNKNOWN_FORMAT, NO_SUCH_PROFILE and INVALID_INPUT. */
function toolsFor(catalogue: Catalogue, request: Request, version: string): Record<string, unknown> {
  const query = (name: string) => (typeof request.query[name] === 'string' ? request.query[name] : undefined);
  const requestedFormat = query('format') ?? 'mcp';
  const format = toolFormat(requestedFormat);
  if (!format) throw fieldError('UNKNOWN_FORMAT', 'format', { allowed: FORMAT_NAMES.join(', ') });
  const server = oneOf('server', query('server') ?? 'operations', Object.keys(SERVERS)) as ServerName;
  const category =
    query('category') === undefined ? undefined : oneOf('category', query('category')!, Object.keys(CATEGORIES));
  const profile = query('profile');
  if (profile !== undefined && !Object.hasOwn(PROFILES, profile))
    throw fieldError('NO_SUCH_PROFILE', 'profile', { allowed: Object.keys(PROFILES).join(', ') });
  const listed = catalogue
    .tools(server)
    .filter(
      (tool) =>
        (category === undefined || tool.category === category) &&
        (profile === undefined || within(tool, profile as Profile)),
    )
    .map((tool) => tool.listed());
  const tools = format.tools(listed);
  return {
    ...(format.name === 'mcp' && { tools }),
    format: format.name,
    server: SERVERS[server].name,
    count: listed.length,
    version,
    hash: catalogueHash(catalogue),
    tools,
    ...(format.name === 'bedrock' && { toolConfig: { tools } }),
  };
}

const within = ({ scopes, public: isPublic }: Tool, profile: Profile): boolean =>
  isPublic || profile === 'full' || scopes.every((scope) => (PROFILES[profile] as readonly Scope[]).includes(scope));

function oneOf(field: string, value: string, allowed: readonly string[]): string {
  if (!allowed.includes(value))
    throw new ApiError('INVALID_INPUT', {
      errors: [{ field, path: `/${field}`, code: 'INVALID_VALUE', params: { allowed: allowed.join(', ') } }],
    });
  return value;
}
