/** Discovery documents for machines, generated from the operations and the catalogue of tools. */
import { createHash } from 'node:crypto';
import { canonical } from '../../events/tree/canonical.js';
import type { Catalogue } from '../mcp/catalogue.js';
import { CATEGORIES, type Category } from '../mcp/definition.js';
import { PROTOCOL_VERSIONS, publicPathOf, SERVERS, type ServerName } from '../mcp/protocol.js';
import type { Tool } from '../mcp/tool.js';
import { PROFILES } from '../core/scopes.js';
import { FORMAT_NAMES } from './tool-formats.js';

const SERVER_NAMES = Object.keys(SERVERS) as ServerName[];

export const NAME = 'Open Transport';
export const DESCRIPTION =
  'Transport management based on the Open Tracking Event Protocol (OTEP): orders, routes and tracking in many formats, over REST, GraphQL and MCP.';

/** SHA-256 in hex of all texts that agents read about the tools, so it changes with any of them. */
export const catalogueHash = (catalogue: Catalogue): string =>
  createHash('sha256')
    .update(canonical(SERVER_NAMES.map((server) => catalogue.tools(server).map(({ detailed }) => detailed()))))
    .digest('hex');

/** Categories that contain tools, with their names: `/api/ai/capabilities`. */
export function capabilities(catalogue: Catalogue): Record<string, unknown> {
  const named = (server: ServerName) =>
    categoriesOf(catalogue.tools(server)).map(({ id, title, tools }) => ({
      id,
      title,
      tools: tools.map(({ name }) => name),
    }));
  return {
    name: NAME,
    tools_count: Object.fromEntries(SERVER_NAMES.map((server) => [server, catalogue.tools(server).length])),
    categories: named('operations'),
    developer_categories: named('developer'),
    catalogue_hash: catalogueHash(catalogue),
  };
}

function categoriesOf(
  tools: readonly Tool[],
): { readonly id: Category; readonly title: string; readonly tools: readonly Tool[] }[] {
  return (Object.keys(CATEGORIES) as Category[])
    .map((id) => ({ id, title: CATEGORIES[id], tools: tools.filter(({ category }) => category === id) }))
    .filter(({ tools: found }) => found.length > 0);
}

export interface ManifestOptions {
  readonly catalogue: Catalogue;
  readonly baseUrl: string;
  readonly version: string;
  readonly skillHash: string;
  readonly graphql: boolean;
}

/** `/api/.well-known/ai-tools.json`: no standard defines its content, so it contains what an agent needs to begin. */
export function manifest({
  catalogue,
  baseUrl,
  version,
  skillHash,
  graphql,
}: ManifestOptions): Record<string, unknown> {
  return {
    schema_version: '1.0',
    name: NAME,
    description: DESCRIPTION,
    version,
    hash: catalogueHash(catalogue),
    base_url: baseUrl,
    documentation_url: `${baseUrl}/api/docs`,
    auth: {
      type: 'bearer',
      header: 'Authorization: Bearer <ACCESS_TOKEN>',
      login: { method: 'POST', url: `${baseUrl}/api/v1/user/login`, body: ['email', 'password'] },
      protected_resource_metadata: `${baseUrl}/.well-known/oauth-protected-resource`,
    },
    mcp_servers: SERVER_NAMES.map((server) => ({
      name: SERVERS[server].name,
      url: baseUrl + SERVERS[server].path,
      alternative_url: `${baseUrl}/api${SERVERS[server].path}`,
      public_url: baseUrl + publicPathOf(server),
      audience: SERVERS[server].audience,
      transport: 'streamable-http',
      protocol_versions: PROTOCOL_VERSIONS,
      tools_count: catalogue.tools(server).length,
    })),
    rest: {
      base_url: `${baseUrl}/api`,
      openapi_url: `${baseUrl}/api/openapi.json`,
      annotated_openapi_url: `${baseUrl}/api/ai/tools/openapi`,
    },
    ...(graphql && {
      graphql: { endpoint: `${baseUrl}/api/graphql`, document_url: `${baseUrl}/api/ai/tools/graphql` },
    }),
    tool_definitions: { url: `${baseUrl}/api/ai/tools?format={format}`, formats: FORMAT_NAMES },
    profiles: Object.entries(PROFILES).map(([id, scopes]) => ({ id, scopes: id === 'full' ? ['*'] : scopes })),
    safety: {
      dry_run_header: 'X-MCP-Dry-Run: 1',
      approval_header: 'X-MCP-Require-Approval: 1',
      approval_page: `${baseUrl}/mcp-approvals`,
      confirm_argument: 'confirm',
      dry_run_argument: 'dry_run',
      idempotency_argument: 'idempotency_key',
    },
    skill: { url: `${baseUrl}/api/ai-skill`, version_url: `${baseUrl}/api/ai-skill/version`, hash: skillHash },
    categories: categoriesOf(catalogue.tools('operations')).map(({ id, title, tools }) => ({
      id,
      title,
      tools: tools.map(({ name }) => name),
    })),
    tools: catalogue.tools('operations').map(entry),
    developer_tools: catalogue.tools('developer').map(entry),
  };
}

/** A tool with its REST method and path, if it has them. */
function entry({
  name,
  title,
  description,
  category,
  risk,
  scopes,
  confirm,
  public: isPublic,
  operation,
  listed,
  run,
}: Tool): Record<string, unknown> {
  return {
    name,
    title,
    use_case: description,
    category,
    auth: isPublic ? 'public' : 'required',
    risk,
    scopes,
    confirm,
    ...(!run && {
      rest: {
        method: operation.rest.method.toUpperCase(),
        path: `/api${operation.rest.path.replace(/:(\w+)/g, '{$1}')}`,
      },
    }),
    input_schema: listed().inputSchema,
  };
}

/** `/llms.txt` (llmstxt.org): one heading, a summary, lists of links. */
export function llmsText({
  catalogue,
  baseUrl,
  graphql,
}: Pick<ManifestOptions, 'catalogue' | 'baseUrl' | 'graphql'>): string {
  const link = (title: string, path: string, note: string) => `- [${title}](${baseUrl}${path}): ${note}`;
  return [
    `# ${NAME}`,
    '',
    `> ${DESCRIPTION}`,
    '',
    'Sign in with `POST /api/v1/user/login` and send `Authorization: Bearer <ACCESS_TOKEN>`; public tracking and discovery need no token. Agents connect to an MCP server and call `get_capabilities` first.',
    '',
    ...SERVER_NAMES.map((server) => `MCP server for ${SERVERS[server].audience}: ${baseUrl}${SERVERS[server].path}`),
    ...SERVER_NAMES.map(
      (server) =>
        `Without an account, only the public tools of ${SERVERS[server].path} (${publicNames(catalogue, server)}): ${baseUrl}${publicPathOf(server)}`,
    ),
    '',
    '## MCP servers',
    '',
    ...SERVER_NAMES.map((server) =>
      link(
        SERVERS[server].name,
        `/api/ai/tools?server=${server}`,
        `the ${catalogue.tools(server).length} tools at ${SERVERS[server].path}`,
      ),
    ),
    '',
    '## APIs',
    '',
    link('OpenAPI', '/api/openapi.json', 'the REST API'),
    link('OpenAPI for agents', '/api/ai/tools/openapi', 'the same with tool names, use cases and risk'),
    ...(graphql ? [link('GraphQL document', '/api/ai/tools/graphql', 'the schema of /api/graphql, with hints')] : []),
    link('API pages', '/api/docs', 'the REST API reference'),
    '',
    '## Agents',
    '',
    link('Tool manifest', '/api/.well-known/ai-tools.json', 'servers, tools, scopes, safety'),
    link('Tool definitions', '/api/ai/tools?format=mcp', `formats: ${FORMAT_NAMES.join(', ')}`),
    link('Capabilities', '/api/ai/capabilities', 'categories and tool names'),
    link('Integration guide', '/api/ai-skill', 'how to integrate, with runnable examples'),
    '',
    '## Optional',
    '',
    link('OTEP guide', '/api/ai/guides/otep', 'the open tracking timeline'),
    ...categoriesOf(catalogue.tools('operations')).map(({ id, title, tools }) =>
      link(title, `/api/ai/tools?category=${id}`, tools.map(({ name }) => name).join(', ')),
    ),
    '',
  ].join('\n');
}

const publicNames = (catalogue: Catalogue, server: ServerName): string =>
  catalogue
    .tools(server)
    .filter(({ public: isPublic }) => isPublic)
    .map(({ name }) => name)
    .join(', ');

/**
 * The OpenAPI document with hints by which agents choose operations. `x-openai-isConsequential` makes hosts ask the
 * user before a write.
 */
export function annotated(document: Record<string, unknown>, catalogue: Catalogue): Record<string, unknown> {
  const paths = Object.entries(document['paths'] as Record<string, Record<string, Record<string, unknown>>>);
  return {
    ...document,
    paths: Object.fromEntries(
      paths.map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => [
            method,
            { ...operation, ...hints(catalogue.ofOperation(operation['operationId'] as string)) },
          ]),
        ),
      ]),
    ),
  };
}

function hints(tool: Tool | undefined): Record<string, unknown> {
  if (!tool) return {};
  const { name, description, category, risk, scopes, confirm, operation } = tool;
  return {
    'x-ai-tool-name': name,
    'x-ai-use-case': description,
    'x-ai-category': category,
    'x-ai-risk': risk,
    'x-ai-scopes': scopes,
    'x-ai-confirm': confirm,
    'x-ai-read-only': !operation.writes,
    'x-openai-isConsequential': operation.writes ?? false,
  };
}
