/** The definition of a tool: its texts for agents and the operation that it calls. It contains no logic. */
import type { z } from 'zod';
import type { Scope } from '../core/scopes.js';
import type { ProjectedFields } from './projection.js';

export const CATEGORIES = {
  discovery: 'Capabilities of the connection, and how to integrate',
  tracking: 'Parcel tracking',
  orders: 'Delivery orders',
  approvals: 'Writes that wait for human approval',
  labels: 'Carrier labels and rates',
  routes: 'Routes and drivers',
  analytics: 'Order figures',
  billing: 'Wallets and bills',
  addresses: 'Addresses',
  warehouse: 'Warehouses and stock',
  datasets: 'Datasets of the business',
  alliance: 'Delivery partners',
  webhooks: 'Webhooks of the business',
} as const;
export type Category = keyof typeof CATEGORIES;

export interface ListedArgument {
  readonly description?: string;
  readonly example?: unknown;
  /** Its members are not listed; the description names them. */
  readonly opaque?: boolean;
}

/** Static text only: agents trust it, so it must never contain data of a business. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  /** Explains its effect and when to choose it. */
  readonly description: string;
  readonly category: Category;
  /** Name of the operation, which must exist. It determines risk, scopes and confirm. */
  readonly operation: string;
  /** Scopes that a caller needs in addition to the scopes of the operation. */
  readonly scopes?: readonly Scope[];
  /** Arguments with another name than the member of the operation: argument -> member. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Members of the operation that the tool does not offer, with their fixed values; undefined: omitted. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Members with a stricter schema than in the operation: member -> schema. */
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  /**
   * The tool accepts `fields`: the objects that it selects from, and the members that are returned by default. The
   * result omits null members.
   */
  readonly fields?: ProjectedFields;
  /** Texts of arguments by their path: `time_windows.from`. Absent: the texts of the operation. */
  readonly arguments?: Readonly<Record<string, ListedArgument>>;
  /** Another tool can undo its effect, so hosts need not warn of it. */
  readonly reversible?: boolean;
  /** Arguments of a complete call, if the members alone do not show how they belong together. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** The specification does not name the tool: `_meta` marks it. */
  readonly isBeyondSpecification?: boolean;
  /** Member of the result with the URL of a file: clients that support resource links also get one with this name. */
  readonly link?: { readonly member: string; readonly name: string; readonly mimeType: string };
  /** The tool sends requests to systems of other parties. */
  readonly openWorld?: boolean;
}
