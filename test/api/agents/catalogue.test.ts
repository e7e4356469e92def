/** The catalogue of tools against the recorded table of tools, and against the schemas that every vendor accepts. */
import { expect } from 'chai';
import { PROFILES } from '../../../src/api/core/scopes.js';
import { ALL_TOOLS, unusedRows, rowOf, SPECIFIED, TOOLS_FILE } from '../../support/checks/mcp-tools.js';
import { listDetails, listTools, tokenOf, type DetailedTool } from '../../support/clients/mcp.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const SERVERS = { operations: '/mcp', developer: '/mcp/developer' } as const;

const metaOf = ({ _meta }: DetailedTool, key: string): unknown => _meta[`open-transport/${key}`];

describe('catalogue of tools', () => {
  let service: TestService;
  let token: string;
  const listed: Record<string, readonly DetailedTool[]> = {};
  /** Operations tools that only customers can call. */
  let ofCustomers: readonly DetailedTool[];

  before(async () => {
    service = await startTestService();
    token = await tokenOf(service, 'client_admin');
    for (const path of Object.values(SERVERS)) listed[path] = await listDetails(service, { token, path });
    const known = new Set(listed[SERVERS.operations]!.map(({ name }) => name));
    const customer = await listDetails(service, {
      token: await tokenOf(service, 'customer'),
      path: SERVERS.operations,
    });
    ofCustomers = customer.filter(({ name }) => !known.has(name));
  });
  after(() => service.stop());

  describe('next to the table of tools', () => {
    it('has every operations tool with its risk, scopes and confirm', () => {
      for (const tool of [...listed[SERVERS.operations]!, ...ofCustomers]) {
        const actual = {
          risk: metaOf(tool, 'risk'),
          scopes: metaOf(tool, 'scopes'),
          confirm: metaOf(tool, 'confirm'),
          public: metaOf(tool, 'auth') === 'public',
        };
        const { name, ...expected } = rowOf('operations', tool.name, actual);
        expect(actual, `the row of ${name} in ${TOOLS_FILE}`).to.deep.equal(expected);
      }
    });

    it('has developer tools that are public or not as in the table', () => {
      for (const tool of listed[SERVERS.developer]!) {
        const actual = { public: metaOf(tool, 'auth') === 'public' };
        const { name, ...expected } = rowOf('developer', tool.name, actual);
        expect(actual, `the row of ${name} in ${TOOLS_FILE}`).to.deep.equal(expected);
      }
    });

    for (const server of ['operations', 'developer'] as const)
      it(`counts the specified tools of ${server} that do not exist yet, and has no row without a tool`, () => {
        const tools = [...listed[SERVERS[server]]!, ...(server === 'operations' ? ofCustomers : [])];
        const there = new Set(tools.map(({ name }) => name));
        const specified = SPECIFIED[server].map(({ name }) => name);
        const missing = specified.filter((name) => !there.has(name));
        const found = `${specified.length - missing.length} of ${specified.length}`;
        console.log(`      ${SERVERS[server]}: ${found}; missing: ${missing.join(', ') || 'none'}`);
        expect(
          unusedRows(server, there),
          `Remove the rows of these from beyond_specification.${server} of ${TOOLS_FILE}: no such tool is listed`,
        ).to.deep.equal([]);
      });

    for (const [profile, scopes] of Object.entries(PROFILES)) {
      it(`lists for ${profile} the tools that its scopes allow`, async () => {
        const names = (await listTools(service, { token, headers: { 'x-mcp-profile': profile } })).map(
          ({ name }) => name,
        );
        const there = new Set(listed[SERVERS.operations]!.map(({ name }) => name));
        // The test above reports a tool without a row, with the row to add.
        const known = new Set(ALL_TOOLS.operations.map(({ name }) => name));
        const expected = ALL_TOOLS.operations.filter(
          (tool) =>
            there.has(tool.name) &&
            (tool.public ||
              profile === 'full' ||
              tool.scopes.every((scope) => (scopes as readonly string[]).includes(scope))),
        );
        expect(names.filter((name) => known.has(name))).to.have.members(expected.map(({ name }) => name));
      });
    }
  });

  it('has unique names that every vendor accepts, and different titles', () => {
    for (const tools of Object.values(listed)) {
      for (const { name } of tools) expect(name).to.match(/^[a-zA-Z][a-zA-Z0-9_]{0,63}$/);
      expect(new Set(tools.map(({ name }) => name)).size).to.equal(tools.length);
      expect(new Set(tools.map(({ title }) => title)).size).to.equal(tools.length);
    }
  });

  it('has schemas that every vendor accepts: an object at the root, strict, no null, every argument described', () => {
    for (const { name, inputSchema } of Object.values(listed).flat()) {
      expect(inputSchema.type, name).to.equal('object');
      expect(inputSchema.additionalProperties, name).to.equal(false);
      for (const key of ['oneOf', 'anyOf', 'allOf', 'enum', 'not', '$ref', '$defs', '$schema'])
        expect(inputSchema, name).not.to.have.property(key);
      expect(JSON.stringify(inputSchema), name).not.to.match(/"\$ref"|"type":\[|"type":"null"/);
      for (const argument of Object.keys(inputSchema.properties))
        expect(argument, name).to.match(/^[a-z_][a-z0-9_]{0,63}$/);
      if (
        metaOf(
          Object.values(listed)
            .flat()
            .find((tool) => tool.name === name)!,
          'confirm',
        ) === true
      )
        expect(inputSchema.properties, name).to.have.property('confirm');
    }
  });

  it('has annotations that follow from risk, and no destructive hint for reversible tools', () => {
    for (const tool of Object.values(listed).flat()) {
      expect(tool.annotations['destructiveHint'], tool.name).to.equal(
        metaOf(tool, 'risk') === 'high' && !['hold_order', 'release_order'].includes(tool.name),
      );
      if (metaOf(tool, 'risk') !== 'low') expect(tool.annotations['readOnlyHint'], tool.name).to.equal(false);
    }
  });

  it('is the same list each time', async () => {
    expect(await listDetails(service, { token })).to.deep.equal(listed['/mcp']);
  });
});
