/** A tool: its definition together with the operation that it calls. */
import { z } from 'zod';
import type { DryRun } from '../../commands/core/handle.js';
import type { Caller } from '../core/callers.js';
import { checkInput } from '../core/check-input.js';
import { fieldError } from '../core/errors.js';
import type { Call } from '../core/call.js';
import { authorize, type Invoke } from '../core/invoke.js';
import { once } from '../core/once.js';
import type { OperationResult, Operation } from '../core/operation.js';
import type { Scope } from '../core/scopes.js';
import type { Connection } from './connection.js';
import type { Category, ToolDefinition } from './definition.js';
import { toolOutputSchema } from './tool-output-schema.js';
import { createProjection, type Project } from './projection.js';
import { completeSchema, portableSchema, type JsonSchema } from './portable-schema.js';
import { META } from './protocol.js';
import { createFindUserText, type FindUserText } from './user-text.js';

/** A tool as MCP lists it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
}

/**
 * Additional members for clients that request them. They are most of the bytes, and hosts send the list to the model.
 */
export interface DetailedTool extends ListedTool {
  readonly outputSchema: JsonSchema;
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
  /** The tool needs no token. */
  readonly public: boolean;
  /** Strict schema of the arguments. */
  readonly input: z.ZodObject;
  /** Another tool can undo its effect. */
  readonly reversible: boolean;
  /** Converts arguments to the operation's input, without the arguments that are about the call. */
  readonly toInput: (args: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** The checked arguments, and the operation's input with the defaults of the tool; throws INVALID_INPUT. */
  readonly read: (args: Record<string, unknown>) => {
    readonly checked: Record<string, unknown>;
    readonly input: Record<string, unknown>;
  };
  /** The input of a proposed call; throws INVALID_INPUT and NOT_IN_PROPOSAL. */
  readonly inputOf: (args: Record<string, unknown>) => Record<string, unknown>;
  /** Paths of text by users in a result of the operation. */
  readonly findUserText: FindUserText;
  /** For tools that accept `fields`: parses the argument; throws INVALID_INPUT. */
  readonly project?: (fields: string | undefined) => Project;
  readonly listed: () => ListedTool;
  readonly detailed: () => DetailedTool;
  /** See `ToolDefinition`. */
  readonly isBeyondSpecification: boolean;
  readonly link?: ToolDefinition['link'];
  /** The arguments of a proposed call: the required ones, and all others. */
  readonly proposed: () => { readonly required: readonly string[]; readonly optional: readonly string[] };
  /** The input schema with all constraints and all members. */
  readonly complete: () => JsonSchema;
  /** For the few tools about the connection itself; absent: the operation is invoked. */
  readonly run?: (args: Readonly<Record<string, unknown>>, context: ToolContext) => Promise<OperationResult>;
}

/** Context of a tool with a dedicated implementation. */
export interface ToolContext {
  readonly connection: Connection;
  readonly call: Call;
  /** Applies the safety settings of the connection. */
  readonly invoke: Invoke;
  readonly dryRun: DryRun | undefined;
}

const confirmation = z.boolean().optional();
/** A page of a list becomes part of a model's context, so the default is small. */
const PER_PAGE = z.int().min(1).max(200).default(20);
const FIELDS = z.string().min(1).max(1_000).optional();
/** Arguments of every write that are about the call and not passed to the operation. */
const WRITE_ARGUMENTS = {
  idempotency_key: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[\x21-\x7e]+$/)
    .optional(),
  dry_run: z.boolean().optional(),
};

/** The tools of these definitions in their order; throws if a definition names an operation that does not exist. */
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
  const { name, title, description, category, rename = {}, fixed = {}, scopes = [], reversible = false } = definition;
  const shape: Readonly<Record<string, z.ZodType>> = {
    ...('per_page' in operation.input.shape && { per_page: PER_PAGE }),
    ...definition.shape,
  };
  const project = definition.fields && createProjection(definition.fields, operation.output);
  const argumentOf = new Map(Object.entries(rename).map(([argument, member]) => [member, argument]));
  const taken = Object.entries(operation.input.shape)
    // Each page has a cursor to the next page, so lists need no page number.
    .filter(([member]) => !(member in fixed) && !(member === 'page' && 'cursor' in operation.input.shape))
    .map(([member, schema]) => [argumentOf.get(member) ?? member, shape[member] ?? schema]);
  const confirm = operation.confirm ?? false;
  const added = {
    ...(confirm && { confirm: confirmation }),
    ...(operation.writes && WRITE_ARGUMENTS),
    ...(project && { fields: FIELDS }),
  };
  const input = z.strictObject({ ...(Object.fromEntries(taken) as z.ZodRawShape), ...added });
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
    reversible,
    isBeyondSpecification: definition.isBeyondSpecification ?? false,
    ...(definition.link && { link: definition.link }),
    ...(project && { project }),
    toInput: (args: Readonly<Record<string, unknown>>) => ({
      ...Object.fromEntries(
        Object.entries(args)
          .filter(([argument]) => !(argument in added))
          .map(([argument, value]) => [rename[argument] ?? argument, value]),
      ),
      ...given,
    }),
  };
  /** Adds the tool's defaults of members with a stricter schema; otherwise the operation would apply its default. */
  const withDefaults = (args: Record<string, unknown>, checked: Record<string, unknown>) => ({
    ...args,
    ...Object.fromEntries(
      Object.keys(shape).flatMap((member) => {
        const argument = argumentOf.get(member) ?? member;
        return checked[argument] === undefined ? [] : [[argument, checked[argument]]];
      }),
    ),
  });
  const read = (args: Record<string, unknown>) => {
    const checked = checkInput({ input }, args);
    return { checked, input: tool.toInput(withDefaults(args, checked)) };
  };
  const listing = once(() => listed(tool, definition));
  const findUserText = once(() => createFindUserText(operation.name, operation.output));
  return {
    ...tool,
    read,
    inputOf(args) {
      const misplaced = Object.keys(WRITE_ARGUMENTS).find((argument) => argument in args && argument in added);
      if (misplaced !== undefined) throw fieldError('NOT_IN_PROPOSAL', misplaced, { field: misplaced });
      return read(args).input;
    },
    listed: listing,
    detailed: once(() => ({
      ...listing(),
      outputSchema: toolOutputSchema(operation, { isSelected: project !== undefined }),
      _meta: metaOf(tool),
    })),
    proposed: once(() => {
      const { required = [] } = listing().inputSchema as { required?: readonly string[] };
      return {
        required,
        optional: Object.keys(input.shape).filter((name) => !required.includes(name) && !(name in added)),
      };
    }),
    complete: once(() => completeSchema(input)),
    findUserText: (result) => findUserText()(result),
  };
}

type Described = Omit<Tool, 'listed' | 'detailed' | 'inputOf' | 'read' | 'proposed' | 'complete' | 'findUserText'>;

function listed(
  { name, title, description, risk, input, operation: { writes = false }, reversible }: Described,
  { openWorld = false, example, arguments: args }: ToolDefinition,
): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: portableSchema(input, { example, arguments: args }),
    annotations: { readOnlyHint: !writes, destructiveHint: risk === 'high' && !reversible, openWorldHint: openWorld },
  };
}

const metaOf = ({
  category,
  risk,
  scopes,
  confirm,
  public: isPublic,
  isBeyondSpecification,
}: Described): DetailedTool['_meta'] => ({
  [`${META}category`]: category,
  [`${META}risk`]: risk,
  [`${META}scopes`]: scopes,
  [`${META}confirm`]: confirm,
  [`${META}auth`]: isPublic ? 'public' : 'required',
  ...(isBeyondSpecification && { [`${META}beyond_specification`]: true }),
});

/** Throws UNAUTHENTICATED, FORBIDDEN, INSUFFICIENT_SCOPE or MODULE_OFF unless the caller may call the tool now. */
export const authorizeTool = ({ operation, scopes }: Tool, caller: Caller): void =>
  authorize({ ...operation, scopes }, caller);

export function mayCall(tool: Tool, caller: Caller): boolean {
  try {
    authorizeTool(tool, caller);
    return true;
  } catch {
    return false;
  }
}
