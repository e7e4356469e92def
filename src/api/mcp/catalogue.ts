/** The tools of both servers, and which of them a caller may call now. */
import QuickLRU from 'quick-lru';
import { isUser, type Caller } from '../core/callers.js';
import type { Operation } from '../core/operation.js';
import { capabilitiesTool } from './capabilities.js';
import type { ToolDefinition } from './definition.js';
import type { ServerName } from './protocol.js';
import { mayCall, toolsOf, type Tool } from './tool.js';
import { approvalTools } from './tools/approvals.js';
import { DEVELOPER_TOOLS } from './tools/developer.js';
import { ORDER_TOOLS } from './tools/orders.js';
import { PLANNING_TOOLS } from './tools/planning.js';
import { TRACKING_TOOLS } from './tools/tracking.js';

export type Catalogue = ReturnType<typeof createCatalogue>;

export interface CatalogueOptions {
  readonly operations: readonly Operation[];
  /** Tools that areas add to each server. */
  readonly added?: Readonly<Record<ServerName, readonly ToolDefinition[]>>;
  /** Tools of the developer server that have no operation: GraphQL. */
  readonly more?: readonly Tool[];
}

export function createCatalogue({ operations, added, more = [] }: CatalogueOptions) {
  const capabilities = capabilitiesTool((server, caller) => allowed(server, caller));
  const tracking = toolsOf(TRACKING_TOOLS, operations);
  const orders = toolsOf(ORDER_TOOLS, operations);
  const others = toolsOf([...PLANNING_TOOLS, ...(added?.operations ?? [])], operations);
  const developer = toolsOf([...DEVELOPER_TOOLS, ...(added?.developer ?? [])], operations);
  const proposable = [...new Set([...orders, ...others, ...developer].filter(canBeProposed).map(({ name }) => name))];
  const approvals = toolsOf(approvalTools(proposable), operations);
  const tools: Record<ServerName, readonly Tool[]> = {
    operations: [...tracking, capabilities, ...orders, ...approvals, ...others],
    developer: [...developer, ...more],
  };
  const named = { operations: byName(tools.operations), developer: byName(tools.developer) };
  const ofOperation = new Map([...tools.developer, ...tools.operations].map((tool) => [tool.operation.name, tool]));
  // Cached, because there are many calls but few kinds of callers.
  const cache = new QuickLRU<string, readonly Tool[]>({ maxSize: 500 });

  /** In the fixed order of the catalogue. */
  function allowed(server: ServerName, caller: Caller): readonly Tool[] {
    const key = `${server} ${kindOf(caller)}`;
    const known = cache.get(key);
    if (known) return known;
    const found = tools[server].filter((tool) => mayCall(tool, caller));
    cache.set(key, found);
    return found;
  }

  return {
    tools: (server: ServerName): readonly Tool[] => tools[server],
    /** Names of the tools whose calls can be proposed. */
    proposable,
    find: (server: ServerName, name: string): Tool | undefined => named[server].get(name),
    allowed,
    /** The tool that calls this operation. */
    ofOperation: (operation: string): Tool | undefined => ofOperation.get(operation),
  };
}

const canBeProposed = ({ operation }: Tool): boolean => operation.writes === true && operation.loginOnly !== true;

const byName = (tools: readonly Tool[]): ReadonlyMap<string, Tool> => new Map(tools.map((tool) => [tool.name, tool]));

/** Everything that determines which tools a caller may call. */
const kindOf = (caller: Caller): string =>
  isUser(caller)
    ? `${caller.role} ${caller.tokenKind} ${[...caller.scopes].sort().join()} ${[...caller.modules].sort().join()}`
    : caller.role;
