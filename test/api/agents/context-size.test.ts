/** How much of a model's context the tools take: their list, their descriptions, and pages of results. */
import { expect } from 'chai';
import { PROFILE_NAMES } from '../../../src/api/core/scopes.js';
import { listDetails, listTools, tokenOf } from '../../support/clients/mcp.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const SERVERS = ['/mcp', '/mcp/developer'] as const;
/** Bytes of `tools/list` a tool, on average. */
const TOOL_BYTES = 1_000;

type Schema = Readonly<Record<string, unknown>>;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The arguments at every depth, with their paths. */
function membersOf(schema: Schema, path = ''): [path: string, name: string, schema: Schema][] {
  const { properties = {}, items } = schema as { properties?: Record<string, Schema>; items?: Schema };
  return [
    ...Object.entries(properties).flatMap(([name, inside]): [string, string, Schema][] => [
      [path + name, name, inside],
      ...membersOf(inside, `${path}${name}.`),
    ]),
    ...(items ? membersOf(items, path) : []),
  ];
}

const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

describe('the context that tools take', () => {
  let service: TestService;
  let token: string;

  before(async () => {
    service = await startTestService({ env: { RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' } });
    token = await tokenOf(service, 'client_admin');
  });
  after(() => service.stop());

  for (const path of SERVERS)
    for (const profile of PROFILE_NAMES)
      it(`tools/list of ${path} for ${profile} is at most ${TOOL_BYTES} bytes a tool on average`, async () => {
        const tools = await listTools(service, { token, path, headers: { 'x-mcp-profile': profile } });
        const bytes = bytesOf(tools);
        console.log(`      ${tools.length} tools, ${bytes} bytes, ${Math.round(bytes / 4)} tokens`);
        expect(bytes / tools.length).to.be.at.most(TOOL_BYTES);
      });

  it('lists output schemas and _meta only for a client that asks for details', async () => {
    for (const path of SERVERS) {
      for (const tool of await listTools(service, { token, path }))
        expect(tool, tool.name).to.have.all.keys('name', 'title', 'description', 'inputSchema', 'annotations');
      for (const tool of await listDetails(service, { token, path }))
        expect(tool, tool.name).to.include.keys('outputSchema', '_meta');
    }
  });

  it('describes every argument at every depth, with more than its name', async () => {
    const bare: string[] = [];
    for (const path of SERVERS)
      for (const { name: tool, inputSchema } of await listTools(service, { token, path }))
        for (const [place, name, { description }] of membersOf(inputSchema))
          if (typeof description !== 'string' || wordsOf(description) === '' || wordsOf(description) === wordsOf(name))
            bare.push(`${tool} ${place}: ${String(description)}`);
    expect(bare, 'describe them in `arguments` of the tool, or in src/api/mcp/member-meanings.ts').to.deep.equal([]);
  });

  it('has no pattern, and no object whose members are listed twice', async () => {
    for (const path of SERVERS)
      for (const { name, inputSchema } of await listTools(service, { token, path })) {
        const members = membersOf(inputSchema);
        for (const [place, , schema] of members) expect(schema, `${name} ${place}`).not.to.have.property('pattern');
        const objects = members.flatMap(([, , { properties }]) => (properties ? [JSON.stringify(properties)] : []));
        const repeated = objects.filter((text, index) => text.length > 200 && objects.indexOf(text) !== index);
        expect(repeated, name).to.deep.equal([]);
      }
  });

  it('has examples that fit the argument', async () => {
    const examples = new Map<string, unknown>();
    for (const path of SERVERS)
      for (const { name, inputSchema } of await listTools(service, { token, path }))
        for (const [place, , schema] of membersOf(inputSchema))
          if (Array.isArray(schema['examples'])) examples.set(`${name} ${place}`, schema['examples'][0]);
    expect(examples.get('find_order query')).to.equal('Lovelace');
    expect(examples.get('run_graphql_query query')).to.equal('{ userMe { result } }');
    expect(examples.get('get_api_endpoints query')).to.equal('create order');
    expect(examples.get('search_address query')).to.equal('Hauptstrasse Hamburg');
    expect(
      [...examples].filter(([place, example]) => example === 'Lovelace' && place !== 'find_order query'),
    ).to.deep.equal([]);
  });
});
