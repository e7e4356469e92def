/** A tool: its definition, together with the operation that it is. */
import { z } from 'zod';
import type { Rehearsal } from '../../commands/core/handle.js';
import type { Caller } from '../core/callers.js';
import { checkInput } from '../core/check-input.js';
import { admit, type Call, type Invoke } from '../core/invoke.js';
import { once } from '../core/once.js';
import type { Answered, Operation } from '../core/operation.js';
import type { Scope } from '../core/scopes.js';
import type { Connection } from './connection.js';
import type { Category, ToolDefinition } from './definition.js';
import { answerSchema } from './answer-schema.js';
import { portableSchema, type JsonSchema } from './portable-schema.js';
import { META } from './protocol.js';

/** A tool as MCP lists it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: Readonly<Record<string, boolean | string>>;
  readonly _meta: Readonly<Record<string, unknown>>;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly category: Category;
  readonly operation: Operation;
  readonly risk: 'low' | 'medium' | 'high';
  readonly scopes: readonly Scope[];
  readonly confirm: boolean;
  /** Needs no token. */
  readonly public: boolean;
  /** What its arguments must be; strict. */
  readonly input: z.ZodObject;
  /** From checked arguments to the operation's input. */
  readonly toInput: (args: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** The same after a check; throws INVALID_INPUT. */
  readonly inputOf: (args: Record<string, unknown>) => Record<string, unknown>;
  readonly listed: () => ListedTool;
  /** Of the few tools that are about the connection itself; absent: the operation is invoked. */
  readonly run?: (args: Readonly<Record<string, unknown>>, around: Around) => Promise<Answered>;
}

/** What a tool of its own has to work with. */
export interface Around {
  readonly connection: Connection;
  readonly call: Call;
  /** With the safety of the connection. */
  readonly invoke: Invoke;
  readonly rehearsal: Rehearsal | undefined;
}

const confirmation = z
  .boolean()
  .optional()
  .describe(
    'Must be true: this call changes what cannot simply be changed back. Not needed for a dry run, nor where the call is queued for approval.',
  );

/** The tools of these definitions, in their order; throws where one names an operation that does not exist. */
export function toolsOf(definitions: readonly ToolDefinition[], operations: readonly Operation[]): Tool[] {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  return definitions.map((definition) => {
    const operation = byName.get(definition.operation);
    if (!operation)
      throw new Error(
        `The tool ${definition.name} names the operation ${definition.operation}, which does not exist. Change \`operation\` of the tool (src/api/areas/<area>/tools.ts or src/api/mcp/tools).`,
      );
    return toolOf(definition, operation);
  });
}

export function toolOf(definition: ToolDefinition, operation: Operation): Tool {
  const { name, title, description, category, rename = {}, fixed = {}, scopes = [], shape = {} } = definition;
  const argumentOf = new Map(Object.entries(rename).map(([argument, member]) => [member, argument]));
  const taken = Object.entries(operation.input.shape)
    .filter(([member]) => !(member in fixed))
    .map(([member, schema]) => [argumentOf.get(member) ?? member, shape[member] ?? schema]);
  const confirm = operation.confirm ?? false;
  const input = z.strictObject({
    ...(Object.fromEntries(taken) as z.ZodRawShape),
    ...(confirm && { confirm: confirmation }),
  });
  const given = Object.fromEntries(Object.entries(fixed).filter(([, value]) => value !== undefined));
  const tool = {
    name,
    title,
    description,
    category,
    operation,
    confirm,
    input,
    risk: operation.risk ?? ('low' as const),
    scopes: [...new Set([...(operation.scopes ?? []), ...scopes])],
    public: operation.callers.includes('anonymous'),
    toInput: ({ confirm: _confirm, ...args }: Readonly<Record<string, unknown>>) => ({
      ...Object.fromEntries(Object.entries(args).map(([argument, value]) => [rename[argument] ?? argument, value])),
      ...given,
    }),
  };
  const inputOf = (args: Record<string, unknown>) => {
    checkInput({ input }, args);
    return tool.toInput(args);
  };
  return { ...tool, inputOf, listed: once(() => listed(tool, operation, definition)) };
}

function listed(
  {
    name,
    title,
    description,
    category,
    risk,
    scopes,
    confirm,
    public: isPublic,
    input,
  }: Omit<Tool, 'listed' | 'inputOf'>,
  operation: Operation,
  { openWorld = false, example }: ToolDefinition,
): ListedTool {
  const { writes = false } = operation;
  return {
    name,
    title,
    description,
    inputSchema: portableSchema(input, example),
    outputSchema: answerSchema(operation),
    annotations: {
      title,
      readOnlyHint: !writes,
      destructiveHint: risk === 'high',
      idempotentHint: !writes,
      openWorldHint: openWorld,
    },
    _meta: {
      [`${META}category`]: category,
      [`${META}risk`]: risk,
      [`${META}scopes`]: scopes,
      [`${META}confirm`]: confirm,
      [`${META}auth`]: isPublic ? 'public' : 'required',
    },
  };
}

/** Throws UNAUTHENTICATED, FORBIDDEN, INSUFFICIENT_SCOPE or MODULE_OFF unless the caller may call the tool now. */
export const admitTo = ({ operation, scopes }: Tool, caller: Caller): void => admit({ ...operation, scopes }, caller);

export function mayCall(tool: Tool, caller: Caller): boolean {
  try {
    admitTo(tool, caller);
    return true;
  } catch {
    return false;
  }
}
