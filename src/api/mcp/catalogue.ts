/** The tools of both servers, and which of them a caller may call now. */
import QuickLRU from 'quick-lru';
import { isUser, type Caller } from '../core/callers.js';
import type { Operation } from '../core/operation.js';
import { canBeApproved, canBeProposed } from '../core/reviewed-operations.js';
import { capabilitiesTool } from './capabilities.js';
import type { ToolDefinition } from './definition.js';
import type { ServerName } from './protocol.js';
import { mayCall, toolsOf, type Tool } from './tool.js';
import { approvalTools, PROPOSING_TOOL } from './tools/approvals.js';
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
  const capabilities = capabilitiesTool({
    allowed,
    // Proposals are made on the operations server.
    proposable: ({ connection }) => (connection.server === 'operations' ? proposable(connection.caller) : []),
  });
  const tracking = toolsOf(TRACKING_TOOLS, operations);
  const orders = toolsOf(ORDER_TOOLS, operations);
  const others = toolsOf([...PLANNING_TOOLS, ...(added?.operations ?? [])], operations);
  const developer = toolsOf([...DEVELOPER_TOOLS, ...(added?.developer ?? [])], operations);
  const candidates = [...byName([...developer, ...others, ...orders].filter(isCandidate)).values()].reverse();
  const approvals = toolsOf(approvalTools(namesOf(candidates)), operations);
  const proposing = approvals.find(({ name }) => name === PROPOSING_TOOL)!;
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
    const found = tools[server]
      .filter((tool) => mayCall(tool, caller))
      .map((tool) => (tool === proposing ? proposingFor(proposable(caller)) : tool));
    cache.set(key, found);
    return found;
  }

  /** The tools whose calls the caller can propose; none for callers that may not propose. */
  function proposable(caller: Caller): readonly Tool[] {
    if (!isUser(caller) || !mayCall(proposing, caller)) return [];
    return candidates.filter(({ operation }) => canBeApproved(operation, caller));
  }

  /** propose_write, which lists only these tools. */
  const proposingFor = (known: readonly Tool[]): Tool =>
    known.length === candidates.length
      ? proposing
      : toolsOf(
          approvalTools(namesOf(known)).filter(({ name }) => name === PROPOSING_TOOL),
          operations,
        )[0]!;

  return {
    tools: (server: ServerName): readonly Tool[] => tools[server],
    proposable,
    find: (server: ServerName, name: string): Tool | undefined => named[server].get(name),
    allowed,
    /** The tool that calls this operation. */
    ofOperation: (operation: string): Tool | undefined => ofOperation.get(operation),
  };
}

/** A GraphQL document cannot be proposed: each of its operations has its own tool. */
const isCandidate = ({ operation, run }: Tool): boolean => run === undefined && canBeProposed(operation);

const namesOf = (tools: readonly Tool[]): string[] => tools.map(({ name }) => name);

const byName = (tools: readonly Tool[]): ReadonlyMap<string, Tool> => new Map(tools.map((tool) => [tool.name, tool]));

/** Everything that determines which tools a caller may call. */
const kindOf = (caller: Caller): string =>
  isUser(caller)
    ? `${caller.role} ${caller.tokenKind} ${[...caller.scopes].sort().join()} ${[...caller.modules].sort().join()}`
    : caller.role;
