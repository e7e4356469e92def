/** Proposals in the form of the API (schema `Proposal` of /api/openapi.json), and names of their users. */
import { call, Problem } from './api.js';
import { visible } from './dom.js';
import { text, type TextName } from './texts.js';

export const STATUSES = ['pending', 'approved', 'executed', 'failed', 'rejected', 'expired'] as const;
export const RISKS = ['low', 'medium', 'high'] as const;

export interface Proposal {
  readonly id: string;
  readonly status: (typeof STATUSES)[number];
  readonly tool: string;
  readonly operation: string;
  readonly risk: string;
  readonly required_scopes: readonly string[];
  readonly summary: string;
  readonly arguments: Readonly<Record<string, unknown>> | null;
  readonly arguments_hash: string;
  readonly reason: string | null;
  readonly source: string;
  readonly proposed_by: {
    readonly user_id: number;
    readonly token_id: string;
    /** Name of the API key or application. */
    readonly token_name: string | null;
    readonly channel: string;
    readonly profile: string | null;
    readonly client: string | null;
  };
  readonly created_at: string;
  readonly expires_at: string;
  readonly decision: {
    readonly decided_by: number | null;
    readonly decided_at: string;
    readonly channel: string | null;
    readonly comment: string | null;
  } | null;
  readonly execution: {
    readonly status: string;
    readonly finished_at: string | null;
    readonly response: unknown;
    readonly error: string | null;
    readonly reason: string | null;
  } | null;
  /** Absent if the proposal is not about a single order, or if the user may not read it. */
  readonly about?: About;
  /** Number of orders or other resources that the arguments name. */
  readonly change_count?: number;
  /** The first of these. */
  readonly changes?: readonly Change[];
  /** Absent if the user may not decide, and after the decision. */
  readonly preview?: Preview;
}

/** Result of a dry run with the current state. `error`: code of the error that the call would return. */
export interface Preview {
  readonly would_append: readonly { readonly stream: string; readonly type: string; readonly data: unknown }[];
  readonly error: string | null;
}

/** Old and new values of one order or other resource. `old`: null for a new one, and if the user may not read it. */
export interface Change {
  readonly resource: string;
  readonly order_id: number | null;
  readonly order_ref: string | null;
  readonly recipient: string | null;
  readonly old: Readonly<Record<string, unknown>> | null;
  readonly new: Readonly<Record<string, unknown>>;
}

/** The current state of the order that the arguments name. */
export interface About {
  readonly order_id: number;
  readonly order_ref: string | null;
  readonly status: string;
  readonly schedule_date: string | null;
  readonly recipient: string | null;
}

export interface Shown {
  readonly proposal: Proposal;
}

export const statusText = (status: Proposal['status']): string => text(status);
export const riskText = (risk: string): string =>
  text('risk', { risk: (RISKS as readonly string[]).includes(risk) ? text(risk as TextName) : visible(risk) });

const names = new Map<number, string>();

/** `Ada Lovelace (user 12)`; without the name if the user may not see it. */
export async function userText(id: number): Promise<string> {
  const known = names.get(id);
  if (known !== undefined) return known;
  const name = await call<{ user: { name: string | null } }>('GET', `/users/${id}`).then(
    ({ user }) => user.name,
    (thrown: unknown) => {
      if (thrown instanceof Problem && (thrown.status === 403 || thrown.status === 404)) return null;
      throw thrown;
    },
  );
  const label = name === null ? text('user', { id }) : `${visible(name)} (${text('user', { id })})`;
  names.set(id, label);
  return label;
}

export const forgetUsers = (): void => names.clear();
