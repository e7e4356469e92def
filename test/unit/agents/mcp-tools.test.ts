/**
 * The recorded table of MCP tools equals the specification. A tool without a row gives a message with the line to add.
 */
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ALL_TOOLS, unusedRows, rowOf, SPECIFIED, TOOLS_FILE } from '../../support/checks/mcp-tools.js';
import { MCP_SPECIFICATION, specifiedTools } from '../../support/inputs/mcp-specification.js';
import { skip } from '../../support/run-summary.js';

describe(TOOLS_FILE, () => {
  it('has the 93 and 25 tools of the specification, 23 of which need confirmation', () => {
    const { operations, developer } = SPECIFIED;
    expect([operations.length, developer.length]).to.deep.equal([93, 25]);
    expect(operations.filter(({ name }) => name.startsWith('uniorder_'))).to.have.length(12);
    expect(operations.filter(({ confirm }) => confirm)).to.have.length(23);
    expect(operations.filter(({ risk }) => risk === 'high')).to.deep.equal(operations.filter(({ confirm }) => confirm));
  });

  it('records the tables of the specification', function () {
    if (!existsSync(MCP_SPECIFICATION)) return skip(this, 'no specification (SHARED_DIR)');
    const tables = specifiedTools(readFileSync(MCP_SPECIFICATION, 'utf8'));
    expect(SPECIFIED, `"specified" of ${TOOLS_FILE} against ${MCP_SPECIFICATION}`).to.deep.equal(tables);
  });

  it('lists each tool once', () => {
    for (const [server, tools] of Object.entries(ALL_TOOLS)) {
      const names = tools.map(({ name }: { name: string }) => name);
      const repeated = names.filter((name: string, index: number) => names.indexOf(name) !== index);
      expect(repeated, `Remove from beyond_specification.${server} of ${TOOLS_FILE}`).to.deep.equal([]);
    }
  });

  it('names the line to add for a tool without a row', () =>
    expect(() => rowOf('operations', 'list_return_reasons', { risk: 'low' })).to.throw(
      `Add this line to beyond_specification.operations of ${TOOLS_FILE}: {"name":"list_return_reasons","risk":"low"}`,
    ));

  it('finds additional rows that name no tool', () => {
    const tool = { name: 'list_return_reasons', risk: 'low', scopes: [], confirm: false, public: false };
    const beyond = { operations: [tool], developer: [] };
    const found = (listed: readonly string[]) => unusedRows('operations', new Set(listed), beyond);
    expect(found([])).to.deep.equal(['list_return_reasons']);
    expect(found(['list_return_reasons'])).to.deep.equal([]);
  });
});
