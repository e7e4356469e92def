/** How a tool is described: what agents read of it, and which operation it is. It has no logic of its own. */
import type { z } from 'zod';
import type { Scope } from '../core/scopes.js';
import type { ProjectedFields } from './projection.js';

export const CATEGORIES = {
  discovery: 'What this connection can do, and how to integrate',
  tracking: 'Where a parcel is',
  orders: 'Delivery orders',
  approvals: 'Writes that wait for a human',
  routes: 'Routes and drivers',
  analytics: 'Figures of the day',
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
  /** Its members are not listed: the description names them. */
  readonly opaque?: boolean;
}

/** Static text only: agents trust it, so it must never contain data of any business. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  /** What it does and when to choose it. */
  readonly description: string;
  readonly category: Category;
  /** Name of the operation, which must exist. Risk, scopes and confirm are the operation's. */
  readonly operation: string;
  /** What a caller needs in addition to the scopes of the operation. */
  readonly scopes?: readonly Scope[];
  /** Arguments that have another name than the operation's member: argument -> member. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Members of the operation that the tool does not offer, with what they are then; undefined: not given. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Members that are narrower here than the operation takes them: member -> schema. */
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  /** Takes `fields`: where it selects members, and those shown by default. The result has no null members. */
  readonly fields?: ProjectedFields;
  /** How arguments are listed, by their path: `time_windows.from`. Absent: as the operation describes them. */
  readonly arguments?: Readonly<Record<string, ListedArgument>>;
  /** Its effect can be undone by another tool: hosts need not warn of it. */
  readonly reversible?: boolean;
  /** Arguments of a whole call, where the members alone do not show how they go together. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** It reaches out to systems of others. */
  readonly openWorld?: boolean;
}
