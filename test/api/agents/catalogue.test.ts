/** The catalogue of tools against the tables of the specification, and against what every vendor takes. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROFILES } from '../../../src/api/core/scopes.js';
import { listTools, tokenOf, type ListedTool } from '../../support/clients/mcp.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { skip } from '../../support/remarks.js';

const SPECIFICATION = join(process.env['SHARED_DIR'] ?? '../shared', 'spec/3-mcp.md');
const RISKS: Readonly<Record<string, string>> = { L: 'low', M: 'medium', H: 'high' };

interface Specified {
  readonly name: string;
  readonly risk: string | undefined;
  readonly scopes: readonly string[];
  readonly confirm: boolean;
  readonly public: boolean;
}

/**
 * The tables of a part of the specification, row by row; what a column does not say, the heading above the table does.
 */
function specified(text: string): Specified[] {
  let heading = '';
  let columns: string[] = [];
  const tools: Specified[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('**')) heading = line;
    const cells = line.startsWith('|')
      ? line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim())
      : [];
    if (cells[0] === 'Tool') columns = cells;
    else if (/^[a-z_]+$/.test(cells[0] ?? '')) {
      const cell = (column: string) => cells[columns.indexOf(column)];
      const named = cell('Scopes') ?? cell('Scope');
      const isPublic = heading.includes('Public tools') || cell('Auth') === 'public';
      const scopes =
        named?.split(/, ?/) ??
        (isPublic || columns.includes('Auth') ? [] : [/`([a-z_]+:(?:read|write))`/.exec(heading)![1]!]);
      tools.push({
        name: cells[0]!,
        risk:
          isPublic && !columns.includes('Auth')
            ? 'low'
            : (RISKS[cell('Risk') ?? ''] ?? (columns.includes('Auth') ? undefined : 'low')),
        scopes,
        confirm: cell('Confirm') === 'yes',
        public: isPublic,
      });
    }
  }
  return tools;
}

const part = (text: string, from: string, to: string): string => text.slice(text.indexOf(from), text.indexOf(to));
const metaOf = ({ _meta }: ListedTool, key: string): unknown => _meta[`open-transport/${key}`];

describe('the catalogue of tools', () => {
  let service: TestService;
  let token: string;
  const listed: Record<string, readonly ListedTool[]> = {};

  before(async () => {
    service = await startTestService();
    token = await tokenOf(service, 'client_admin');
    for (const path of ['/mcp', '/mcp/developer']) listed[path] = await listTools(service, { token, path });
  });
  after(() => service.stop());

  describe('beside the specification', () => {
    let tables: { readonly operations: readonly Specified[]; readonly developer: readonly Specified[] };
    before(function () {
      if (!existsSync(SPECIFICATION)) return skip(this, 'no specification (SHARED_DIR)');
      const text = readFileSync(SPECIFICATION, 'utf8');
      tables = {
        operations: specified(part(text, '### Operations server catalogue', 'All 23 confirm-required')),
        developer: specified(part(text, '### Developer server catalogue', '## Authentication')),
      };
    });

    it('reads both tables whole', () => {
      const uniorder = tables.operations.filter(({ name }) => name.startsWith('uniorder_'));
      expect([tables.operations.length, tables.developer.length, uniorder.length]).to.deep.equal([93, 25, 12]);
      expect(tables.operations.filter(({ confirm }) => confirm)).to.have.length(23);
      expect(tables.operations.filter(({ risk }) => risk === 'high').map(({ name }) => name)).to.deep.equal(
        tables.operations.filter(({ confirm }) => confirm).map(({ name }) => name),
      );
    });

    it('has every operations tool with its risk, scopes and confirm, and no tool of its own', () => {
      const table = new Map(tables.operations.map((tool) => [tool.name, tool]));
      for (const tool of listed['/mcp']!) {
        const expected = table.get(tool.name);
        expect(expected, tool.name).to.exist;
        expect(
          {
            risk: metaOf(tool, 'risk'),
            scopes: metaOf(tool, 'scopes'),
            confirm: metaOf(tool, 'confirm'),
            auth: metaOf(tool, 'auth'),
          },
          tool.name,
        ).to.deep.equal({
          risk: expected!.risk,
          scopes: expected!.scopes,
          confirm: expected!.confirm,
          auth: expected!.public ? 'public' : 'required',
        });
      }
    });

    it('has developer tools that are public or not as the table says', () => {
      const table = new Map(tables.developer.map((tool) => [tool.name, tool]));
      for (const tool of listed['/mcp/developer']!) {
        expect(table.has(tool.name), tool.name).to.equal(true);
        expect(metaOf(tool, 'auth'), tool.name).to.equal(table.get(tool.name)!.public ? 'public' : 'required');
      }
    });

    it('tells which tools are not there yet', () => {
      for (const [path, table] of [
        ['/mcp', tables.operations],
        ['/mcp/developer', tables.developer],
      ] as const) {
        const there = new Set(listed[path]!.map(({ name }) => name));
        const missing = table.filter(({ name }) => !there.has(name)).map(({ name }) => name);
        console.log(`      ${path}: ${there.size} of ${table.length}; missing: ${missing.join(', ') || 'none'}`);
        expect(there.size + missing.length).to.equal(table.length);
      }
    });

    for (const [profile, scopes] of Object.entries(PROFILES)) {
      it(`lists for ${profile} what its scopes allow`, async () => {
        const names = (await listTools(service, { token, headers: { 'x-mcp-profile': profile } })).map(
          ({ name }) => name,
        );
        const there = new Set(listed['/mcp']!.map(({ name }) => name));
        const expected = tables.operations.filter(
          (tool) =>
            there.has(tool.name) &&
            (tool.public ||
              profile === 'full' ||
              tool.scopes.every((scope) => (scopes as readonly string[]).includes(scope))),
        );
        expect(names).to.have.members(expected.map(({ name }) => name));
      });
    }
  });

  it('has names that every vendor takes, each once, and titles that differ', () => {
    for (const tools of Object.values(listed)) {
      for (const { name } of tools) expect(name).to.match(/^[a-zA-Z][a-zA-Z0-9_]{0,63}$/);
      expect(new Set(tools.map(({ name }) => name)).size).to.equal(tools.length);
      expect(new Set(tools.map(({ title }) => title)).size).to.equal(tools.length);
    }
  });

  it('has schemas that every vendor takes: an object at the root, strict, no null, every argument described', () => {
    for (const { name, inputSchema } of Object.values(listed).flat()) {
      expect(inputSchema.type, name).to.equal('object');
      expect(inputSchema.additionalProperties, name).to.equal(false);
      for (const key of ['oneOf', 'anyOf', 'allOf', 'enum', 'not', '$ref', '$defs', '$schema'])
        expect(inputSchema, name).not.to.have.property(key);
      expect(JSON.stringify(inputSchema), name).not.to.match(/"\$ref"|"type":\[|"type":"null"/);
      for (const [argument, schema] of Object.entries(inputSchema.properties)) {
        expect(argument, name).to.match(/^[a-z_][a-z0-9_]{0,63}$/);
        expect(schema['description'], `${name} ${argument}`).to.be.a('string').that.is.not.empty;
      }
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

  it('has annotations that follow from risk', () => {
    for (const tool of Object.values(listed).flat()) {
      expect(tool.annotations['title'], tool.name).to.equal(tool.title);
      expect(tool.annotations['destructiveHint'], tool.name).to.equal(metaOf(tool, 'risk') === 'high');
      if (metaOf(tool, 'risk') !== 'low') expect(tool.annotations['readOnlyHint'], tool.name).to.equal(false);
    }
  });

  it('is the same list each time', async () => {
    expect(await listTools(service, { token })).to.deep.equal(listed['/mcp']);
  });
});
