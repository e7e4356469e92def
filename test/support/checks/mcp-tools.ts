/** The table of MCP tools that test/fixtures/mcp-tools.json records: specified tools and additional ones. */
import { readFileSync } from 'node:fs';

/** Path relative to the repository, where tests run. */
export const TOOLS_FILE = 'test/fixtures/mcp-tools.json';

export interface OperationsTool {
  readonly name: string;
  readonly risk: string;
  readonly scopes: readonly string[];
  readonly confirm: boolean;
  readonly public: boolean;
}
export type DeveloperTool = Pick<OperationsTool, 'name' | 'public'>;

export interface ToolTables {
  readonly operations: readonly OperationsTool[];
  readonly developer: readonly DeveloperTool[];
}
export type ServerName = keyof ToolTables;

const file = JSON.parse(readFileSync(TOOLS_FILE, 'utf8')) as {
  readonly specified: ToolTables;
  readonly beyond_specification: ToolTables;
};

export const SPECIFIED: ToolTables = file.specified;
export const BEYOND: ToolTables = file.beyond_specification;
export const ALL_TOOLS: ToolTables = {
  operations: [...SPECIFIED.operations, ...BEYOND.operations],
  developer: [...SPECIFIED.developer, ...BEYOND.developer],
};

/** Returns the row of a tool. If the file has none, throws an error that contains the row to add. */
export function rowOf<Server extends ServerName>(
  server: Server,
  name: string,
  actual: object,
  tables: ToolTables = ALL_TOOLS,
): ToolTables[Server][number] {
  const row = tables[server].find((tool) => tool.name === name);
  if (!row)
    throw new Error(
      `The tool ${name} of the ${server} server has no row. Add this line to beyond_specification.${server} of ${TOOLS_FILE}: ${JSON.stringify({ name, ...actual })}`,
    );
  return row;
}

/** Returns the additional tools that have a row but are not among the `listed` tools. */
export const unusedRows = (server: ServerName, listed: ReadonlySet<string>, beyond = BEYOND): string[] =>
  beyond[server].map(({ name }) => name).filter((name) => !listed.has(name));
