/** M8: clients without an account connect to the public addresses, and get exactly the public tools. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { hostOf } from '../../support/clients/hosts.js';
import { startMcpRemote } from '../../support/clients/mcp-remote.js';
import { connect, listTools, PROTOCOL_VERSIONS, rpc, tokenOf } from '../../support/clients/mcp.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

/** Specification 3: the tools that need no token, with arguments for a call. */
const PUBLIC_TOOLS = {
  operations: { track_package: undefined, otep_tracking: undefined, get_capabilities: {} },
  developer: {
    track_package: undefined,
    get_api_endpoints: { query: 'orders' },
    get_graphql_operations: {},
    get_otep_tracking: undefined,
    validate_otep_payload: { document: {} },
    check_skill_update: { current_hash: '0'.repeat(32) },
    get_integration_guide: {},
    get_otep_guide: {},
    get_webhook_guide: {},
    verify_webhook_signature: undefined,
  },
} as const;
const ADDRESSES = {
  '/mcp/public': 'operations',
  '/api/mcp/public': 'operations',
  '/mcp/developer/public': 'developer',
  '/api/mcp/developer/public': 'developer',
} as const;

describe('public tools', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  for (const [path, server] of Object.entries(ADDRESSES)) {
    const names = Object.keys(PUBLIC_TOOLS[server]);

    for (const version of PROTOCOL_VERSIONS)
      it(`M8: ${path} lists them without a token, with protocol ${version}`, async () => {
        const client = await connect(service, path, version);
        expect((await client.listTools()).tools.map(({ name }) => name)).to.have.members(names);
        await client.close();
      });

    for (const generation of ['1.17', '1.32', '2.4'] as const)
      it(`M8: SDK ${generation} calls them at ${path} without a token`, async () => {
        const client = await (await hostOf(generation, service.url + path, {})).connect();
        for (const [name, args] of Object.entries(PUBLIC_TOOLS[server])) {
          if (args === undefined) continue;
          const { isError, content } = await client.callTool({ name, arguments: args });
          expect(isError, `${name}: ${JSON.stringify(content)}`).not.to.equal(true);
        }
        await client.close();
      });

    it(`M8: ${path} asks for a token only for other tools`, async () => {
      expect((await rpc(service, 'ping', {}, { path })).status).to.equal(200);
      const params = { name: 'get_operation_events', arguments: { order_id: 1 } };
      const refused = await rpc(service, 'tools/call', params, { path });
      expect(refused.status).to.equal(401);
      expect(refused.headers.get('www-authenticate')).to.include(
        `resource_metadata="${service.url}/.well-known/oauth-protected-resource${path}"`,
      );
      const metadata = await fetch(`${service.url}/.well-known/oauth-protected-resource${path}`);
      expect(await metadata.json()).to.include({ resource: service.url + path });
      const other = path.replace('/public', '');
      const params2 = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
      expect((await rpc(service, 'initialize', params2, { path: other })).status, other).to.equal(401);
      expect((await rpc(service, 'initialize', params2, { path })).status, path).to.equal(200);
    });
  }

  it('M8: mcp-remote connects to /mcp/developer/public without a sign-in', async () => {
    const remote = await startMcpRemote(service.url, '/mcp/developer/public');
    try {
      await remote.connected;
      const { tools } = await remote.client.listTools();
      expect(tools.map(({ name }) => name)).to.have.members(Object.keys(PUBLIC_TOOLS.developer));
      expect(remote.output()).not.to.include('/oauth/authorize');
    } finally {
      await remote.stop();
    }
  });

  it('M8: a token gives the same tools as at the other address', async () => {
    const token = await tokenOf(service, 'client_admin');
    const at = async (path: string) => (await listTools(service, { path, token })).map(({ name }) => name);
    expect(await at('/mcp/developer/public')).to.deep.equal(await at('/mcp/developer'));
  });

  it('M8: llms.txt, the skill, the manifest and the documentation name both addresses', async () => {
    const text = async (path: string) => (await fetch(service.url + path)).text();
    const documents = {
      'llms.txt': await text('/llms.txt'),
      skill: await text('/api/ai-skill'),
      manifest: await text('/api/.well-known/ai-tools.json'),
      documentation: readFileSync('docs/agents.md', 'utf8'),
    };
    for (const [name, document] of Object.entries(documents))
      for (const path of ['/mcp/public', '/mcp/developer/public']) expect(document, name).to.include(path);
    for (const name of Object.keys(PUBLIC_TOOLS.developer)) expect(documents['llms.txt']).to.include(name);
  });
});
