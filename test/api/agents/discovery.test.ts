/** Discovery by machines: each address, the format of each vendor, and the guide with its runnable examples. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import type { Tool as AnthropicTool } from '@anthropic-ai/sdk/resources/messages.js';
import type { Tool as BedrockTool } from '@aws-sdk/client-bedrock-runtime';
import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import type { Tool as GeminiTool } from '@google/genai';
import { ToolSchema } from '@modelcontextprotocol/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { buildSchema, parse } from 'graphql';
import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions.js';
import type { RealtimeFunctionTool } from 'openai/resources/realtime/realtime.js';
import type { FunctionTool } from 'openai/resources/responses/responses.js';
import { FORMAT_NAMES } from '../../../src/api/discovery/tool-formats.js';
import type { JsonSchema } from '../../../src/api/mcp/portable-schema.js';
import { listTools, tokenOf, type ListedTool } from '../../support/clients/mcp.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

/** One tool in each format, as the vendor's own type: an unknown member does not compile. */
interface Shapes {
  readonly openai: ChatCompletionFunctionTool;
  readonly 'openai-responses': FunctionTool;
  readonly 'openai-realtime': RealtimeFunctionTool;
  readonly anthropic: AnthropicTool;
  readonly gemini: GeminiTool;
  readonly bedrock: BedrockTool;
  readonly vercel: LanguageModelV3FunctionTool;
}

const strict = (properties: Record<string, object>, optional: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
const name64 = { type: 'string', pattern: '^[a-zA-Z0-9_-]{1,64}$' };
const text = { type: 'string', minLength: 1 };
/** A JSON Schema whose root all vendors accept. */
const schema = {
  type: 'object',
  required: ['type', 'properties'],
  properties: { type: { const: 'object' }, properties: { type: 'object' }, additionalProperties: { const: false } },
  not: {
    anyOf: ['oneOf', 'anyOf', 'allOf', 'not', 'enum', '$ref', '$defs', '$schema'].map((key) => ({ required: [key] })),
  },
};

/** Each format as a JSON Schema, with an example that the vendor's type accepts. */
const SHAPES: {
  readonly [F in keyof Shapes]: {
    readonly form: object;
    readonly example: (tool: ListedTool, parameters: JsonSchema) => Shapes[F];
  };
} = {
  openai: {
    form: strict({
      type: { const: 'function' },
      function: strict({ name: name64, description: text, parameters: schema, strict: { const: false } }),
    }),
    example: ({ name, description }, parameters) => ({
      type: 'function',
      function: { name, description, parameters: { ...parameters }, strict: false },
    }),
  },
  'openai-responses': {
    form: strict({
      type: { const: 'function' },
      name: name64,
      description: text,
      parameters: schema,
      strict: { const: false },
    }),
    example: ({ name, description }, parameters) => ({
      type: 'function',
      name,
      description,
      parameters: { ...parameters },
      strict: false,
    }),
  },
  'openai-realtime': {
    form: strict({ type: { const: 'function' }, name: name64, description: text, parameters: schema }),
    example: ({ name, description }, parameters) => ({ type: 'function', name, description, parameters }),
  },
  anthropic: {
    form: strict({ name: name64, description: text, input_schema: schema }),
    example: ({ name, description }, parameters) => ({
      name,
      description,
      input_schema: { ...parameters, type: 'object' },
    }),
  },
  gemini: {
    form: strict({
      functionDeclarations: {
        type: 'array',
        minItems: 1,
        items: strict({
          name: { type: 'string', pattern: '^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$' },
          description: text,
          parametersJsonSchema: schema,
        }),
      },
    }),
    example: ({ name, description }, parametersJsonSchema) => ({
      functionDeclarations: [{ name, description, parametersJsonSchema }],
    }),
  },
  bedrock: {
    form: strict({
      toolSpec: strict({
        name: { type: 'string', pattern: '^[a-zA-Z][a-zA-Z0-9_]{0,63}$' },
        description: text,
        inputSchema: strict({ json: schema }),
      }),
    }),
    example: ({ name, description }, parameters) => ({
      toolSpec: { name, description, inputSchema: { json: parameters as never } },
    }),
  },
  vercel: {
    form: strict({ type: { const: 'function' }, name: name64, description: text, inputSchema: schema }),
    example: ({ name, description }, inputSchema) => ({
      type: 'function',
      name,
      description,
      inputSchema: inputSchema as never,
    }),
  },
};

const run = promisify(execFile);

describe('discovery', () => {
  let service: TestService;
  let token: string;
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${service.url}${path}`, { headers });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const json = async (path: string) => JSON.parse((await get(path)).text) as Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

  before(async () => {
    service = await startTestService();
    token = await tokenOf(service, 'client_admin');
  });
  after(() => service.stop());

  it('every address is public, cacheable and returns 304 if unchanged', async () => {
    for (const path of [
      '/api/.well-known/ai-tools.json',
      '/.well-known/ai-tools.json',
      '/llms.txt',
      '/api/ai/tools?format=mcp',
      '/api/ai/tools/openapi',
      '/api/ai/tools/graphql',
      '/api/ai/capabilities',
      '/api/ai-skill',
    ]) {
      const first = await get(path);
      expect(first.status, path).to.equal(200);
      expect((await get(path, { 'if-none-match': first.headers.get('etag')! })).status, path).to.equal(304);
      expect((await fetch(`${service.url}${path}`, { method: 'POST' })).status, path).to.equal(405);
    }
  });

  for (const [format, { form, example }] of Object.entries(SHAPES)) {
    it(`${format} matches the vendor's types`, async () => {
      const validate = new Ajv2020({ strict: false }).compile(form);
      for (const server of ['operations', 'developer']) {
        const { tools } = await json(`/api/ai/tools?format=${format}&server=${server}`);
        const listed = (await json(`/api/ai/tools?server=${server}`))['tools'] as ListedTool[];
        for (const tool of tools) expect(validate(tool), JSON.stringify(validate.errors)).to.equal(true);
        const expected = listed.map((tool) => example(tool, tool.inputSchema));
        expect(tools).to.deep.equal(
          format === 'gemini'
            ? [
                {
                  functionDeclarations: (expected as GeminiTool[]).flatMap(
                    ({ functionDeclarations }) => functionDeclarations,
                  ),
                },
              ]
            : expected,
        );
      }
    });
  }

  /** The tools of a client admin, and those that only a customer can call. */
  const toolsOfAllRoles = async (): Promise<readonly ListedTool[]> => {
    const tools = [token, await tokenOf(service, 'customer')].map((one) => listTools(service, { token: one }));
    return [...new Map((await Promise.all(tools)).flat().map((tool) => [tool.name, tool])).values()];
  };

  it("mcp equals tools/list, and matches the protocol's schema", async () => {
    const { tools } = await json('/api/ai/tools?format=mcp');
    expect(tools).to.have.deep.members((await toolsOfAllRoles()) as never);
    for (const tool of tools) expect(ToolSchema.safeParse(tool).success).to.equal(true);
  });

  it('aliases return the same format; an unknown name is 400 with the valid names', async () => {
    for (const alias of FORMAT_NAMES) expect((await get(`/api/ai/tools?format=${alias}`)).status, alias).to.equal(200);
    expect((await json('/api/ai/tools?format=claude'))['tools']).to.deep.equal(
      (await json('/api/ai/tools?format=anthropic'))['tools'],
    );
    for (const wrong of ['format=nothing', 'server=other', 'category=other', 'profile=other'])
      expect((await get(`/api/ai/tools?${wrong}`)).status, wrong).to.equal(400);
    expect((await get('/api/ai/tools?format=nothing')).text).to.include('bedrock');
    const refused = await get('/api/ai/tools?formt=openai');
    expect(refused.status).to.equal(400);
    expect(refused.text).to.include('UNKNOWN_PARAMETER');
    expect((await get('/llms.txt?utm_source=somewhere')).status).to.equal(200);
    expect((await json('/api/ai/tools?profile=datasets-readonly'))['count']).to.be.lessThan(
      (await json('/api/ai/tools?profile=full'))['count'],
    );
  });

  it('the manifest lists all addresses, and they exist', async () => {
    const manifest = await json('/api/.well-known/ai-tools.json');
    expect(manifest).to.deep.equal(await json('/.well-known/ai-tools.json'));
    for (const url of [
      manifest['rest'].openapi_url,
      manifest['rest'].annotated_openapi_url,
      manifest['graphql'].document_url,
      manifest['skill'].url,
      manifest['skill'].version_url,
      manifest['documentation_url'],
      manifest['auth'].protected_resource_metadata,
    ])
      expect((await fetch(url as string)).status, url as string).to.equal(200);
    expect(
      manifest['mcp_servers'].map(({ protocol_versions }: { protocol_versions: string[] }) => protocol_versions.length),
    ).to.deep.equal([5, 5]);
    expect(manifest['tools'].map(({ name }: { name: string }) => name)).to.have.members(
      (await toolsOfAllRoles()).map(({ name }) => name),
    );
    expect((await json('/api/ai/capabilities'))['categories']).to.deep.equal(
      manifest['categories'].map(({ id, title, tools }: { id: string; title: string; tools: string[] }) => ({
        id,
        title,
        tools,
      })),
    );
  });

  it('llms.txt has one heading, a summary and working links', async () => {
    const { text: llms, headers } = await get('/llms.txt');
    expect(headers.get('content-type')).to.match(/^text\/plain/);
    expect(llms.match(/^# /gm)).to.have.length(1);
    expect(llms).to.match(/^> \S/m);
    // llmstxt.org: below a heading of level two there are lists, each item of which begins with a link.
    const items = llms.slice(llms.indexOf('\n## ')).match(/^- .*$/gm)!;
    for (const item of items) expect(item).to.match(/^- \[[^\]]+\]\(http[^)]+\)(: \S.*)?$/);
    for (const [, url] of llms.matchAll(/\]\((http[^)]+)\)/g)) expect((await fetch(url!)).status, url).to.equal(200);
  });

  it('the OpenAPI document for agents names tools, use cases and categories', async () => {
    const { paths } = await json('/api/ai/tools/openapi');
    expect(paths['/v1/otep/trackings/{tracking_number}'].get).to.deep.include({
      'x-ai-tool-name': 'otep_tracking',
      'x-ai-category': 'tracking',
      'x-ai-risk': 'low',
      'x-openai-isConsequential': false,
    });
    expect(paths['/v1/proposals/{proposal_id}/approve'].post).to.deep.include({
      'x-ai-confirm': true,
      'x-openai-isConsequential': true,
    });
  });

  it('the GraphQL document for agents is a schema, with hints', async () => {
    const { text: sdl } = await get('/api/ai/tools/graphql');
    expect(() => buildSchema(sdl)).not.to.throw();
    expect(parse(sdl).definitions).not.to.be.empty;
    expect(sdl).to.match(
      /use case: .* \| tool: approve_pending_write \| category: approvals \| risk: high \| scopes: approvals:write \| confirm: required/,
    );
  });

  it('the metadata of each protected resource is at its standard address', async () => {
    for (const path of ['', '/mcp', '/api/mcp', '/mcp/developer', '/api/mcp/developer']) {
      const { status, text: body, headers } = await get(`/.well-known/oauth-protected-resource${path}`);
      expect([status, headers.get('access-control-allow-origin')]).to.deep.equal([200, '*']);
      expect(JSON.parse(body)).to.deep.include({
        resource: `${service.url}${path}`,
        authorization_servers: [service.url],
        bearer_methods_supported: ['header'],
      });
    }
  });

  describe('integration guide', () => {
    it('has the hash of its version', async () => {
      const { text: guide } = await get('/api/ai-skill');
      const version = await json('/api/ai-skill/version');
      const hash = createHash('md5').update(guide).digest('hex');
      expect(version).to.deep.equal({ version: '1.0', hash, download_url: `${service.url}/api/ai-skill` });
      expect(await json(`/api/ai-skill/version?current_hash=${hash}`)).to.include({ update_available: false });
      expect(await json(`/api/ai-skill/version?current_hash=${'0'.repeat(32)}`)).to.include({ update_available: true });
    });

    it('has examples that run', async () => {
      const { text: guide } = await get('/api/ai-skill');
      const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!);
      expect(blocks.length).to.be.greaterThan(4);
      const { email, password } = service.demo.users.client_admin;
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', blocks.join('\necho\n')], {
        env: { PATH: process.env['PATH'], BASE_URL: service.url, EMAIL: email, PASSWORD: password },
      });
      expect(stdout).to.include('"conformant":true').and.include('get_capabilities').and.include('"download_url"');
      // The three tasks of the guide: track a parcel, create an order, inspect webhooks.
      expect(stdout).to.include('"order_id"').and.include('"current_status"').and.include('webhook-signature');
      expect(stdout).not.to.match(/"isError":true|"error":\{|"status":[45]\d\d/);
    });
  });
});
