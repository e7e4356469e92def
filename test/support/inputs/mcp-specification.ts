/** Reads the tables of tools from the text of the MCP specification. */
import { join } from 'node:path';
import type { DeveloperTool, OperationsTool, ToolTables } from '../checks/mcp-tools.js';

export const MCP_SPECIFICATION = join(process.env['SHARED_DIR'] ?? '../shared', 'spec/3-mcp.md');

const RISKS: Readonly<Record<string, string>> = { L: 'low', M: 'medium', H: 'high' };

export const specifiedTools = (text: string): ToolTables => ({
  operations: rowsOf(part(text, '### Operations server catalogue', 'All 23 confirm-required')).map(operationsTool),
  developer: rowsOf(part(text, '### Developer server catalogue', '## Authentication')).map(developerTool),
});

interface Row {
  readonly name: string;
  /**
   * Heading of the table. If the columns do not name the scope, the heading does, or it states that the tools are
   * public.
   */
  readonly heading: string;
  readonly cell: (column: string) => string | undefined;
}

const part = (text: string, from: string, to: string): string => text.slice(text.indexOf(from), text.indexOf(to));

function rowsOf(text: string): Row[] {
  let heading = '';
  let columns: readonly string[] = [];
  const rows: Row[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('**')) heading = line;
    if (!line.startsWith('|')) continue;
    const cells = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    const [name = ''] = cells;
    const header = columns;
    if (name === 'Tool') columns = cells;
    else if (/^[a-z_]+$/.test(name)) rows.push({ name, heading, cell: (column) => cells[header.indexOf(column)] });
  }
  return rows;
}

function operationsTool({ name, heading, cell }: Row): OperationsTool {
  const isPublic = heading.includes('Public tools');
  const ofHeading = /`([a-z_]+:(?:read|write))`/.exec(heading)?.[1];
  return {
    name,
    risk: RISKS[cell('Risk') ?? ''] ?? 'low',
    scopes: (cell('Scopes') ?? cell('Scope'))?.split(/, ?/) ?? (isPublic ? [] : [ofHeading!]),
    confirm: cell('Confirm') === 'yes',
    public: isPublic,
  };
}

const developerTool = ({ name, cell }: Row): DeveloperTool => ({ name, public: cell('Auth') === 'public' });
