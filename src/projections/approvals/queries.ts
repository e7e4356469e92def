/** Questions to the read model of proposals. */
import { sql } from 'kysely';
import type {
  ProposalApproved,
  ProposalExecuted,
  ProposalFailed,
  ProposalStatus,
  WriteProposed,
} from '../../events/approvals/events.js';
import { proposalSubject } from '../../events/approvals/events.js';
import { currentArguments, currentName } from '../../events/approvals/renamed-operations.js';
import { unseal } from '../../events/core/codec.js';
import type { KeptEvent, ProposalRow } from './read-model.js';
import type { Parts } from '../core/parts.js';

type DataOf<E extends { readonly schema: { readonly _output: unknown } }> = E['schema']['_output'];

/** A proposal with what is personal opened; an erased one has none of it. */
export interface Proposal {
  readonly id: string;
  readonly business: number;
  readonly status: ProposalStatus;
  readonly createdAt: string;
  readonly proposed: DataOf<typeof WriteProposed>;
  /** By whom and how; absent while it is pending, and where it was refused or expired. */
  readonly decided?: {
    readonly id: string;
    readonly at: string;
    readonly data: Partial<DataOf<typeof ProposalApproved>> & {
      readonly rejected_by?: number;
      readonly comment?: string;
    };
  };
  readonly finished?: {
    readonly at: string;
    readonly data: Partial<DataOf<typeof ProposalExecuted> & DataOf<typeof ProposalFailed>>;
  };
}

export interface ApprovalQueries {
  /** Of any business: whose it is, is for the caller to check. */
  readonly byId: (id: string) => Promise<Proposal | undefined>;
  /** Newest first. */
  readonly list: (filter: {
    readonly business: number;
    readonly status?: ProposalStatus | undefined;
    readonly proposedBy?: number | undefined;
    readonly tool?: string | undefined;
    readonly risk?: string | undefined;
    readonly id?: string | undefined;
    readonly offset: number;
    readonly limit: number;
  }) => Promise<{ readonly total: number; readonly proposals: readonly Proposal[] }>;
  /** The same call by the same user that is still pending. */
  readonly same: (proposedBy: number, argumentsHash: string) => Promise<Proposal | undefined>;
  /** Ids of what was approved before a time (RFC 3339, UTC) and has no end yet. */
  readonly unfinished: (before: string, limit: number) => Promise<string[]>;
  readonly overdue: (limit: number) => Promise<string[]>;
}

/** A proposal waits for days: the operation and its arguments may have other names by the time it is decided. */
function underCurrentNames(proposed: Proposal['proposed']): Proposal['proposed'] {
  const operation = currentName(proposed.operation);
  return {
    ...proposed,
    operation,
    ...(proposed.arguments && { arguments: currentArguments(operation, proposed.arguments) }),
  };
}

export type ApprovalQueriesOptions = Parts<'database' | 'keyRing' | 'now'>;

export function createApprovalQueries({ database, keyRing, now }: ApprovalQueriesOptions): ApprovalQueries {
  const table = database.selectFrom('approvals.proposals').where('proposed', 'is not', null);
  const today = () => new Date(now()).toISOString();

  async function open(rows: readonly ProposalRow[]): Promise<Proposal[]> {
    const keys = await keyRing.existing(rows.map(({ id }) => proposalSubject(id)));
    const dataOf = ({ id, data }: KeptEvent) => unseal(data, id, keys) as never;
    return rows.map(({ id, business, status, created_at, expires_at, proposed, decided, finished }) => ({
      id,
      business,
      createdAt: created_at,
      // Its time is up before anybody has written it down.
      status: status === 'pending' && expires_at <= today() ? 'expired' : status,
      proposed: underCurrentNames(dataOf(proposed!)),
      ...(decided && { decided: { id: decided.id, at: decided.at, data: dataOf(decided) } }),
      ...(finished && { finished: { at: finished.at, data: dataOf(finished) } }),
    }));
  }

  const first = async (rows: Promise<ProposalRow[]>) => (await open(await rows))[0];

  return {
    byId: (id) => first(table.selectAll().where('id', '=', id).execute()),
    async list({ business, status, proposedBy, tool, risk, id, offset, limit }) {
      let found = table.where('business', '=', business);
      if (id !== undefined) found = found.where('id', '=', id);
      if (status === 'pending') found = found.where('status', '=', 'pending').where('expires_at', '>', today());
      else if (status === 'expired')
        found = found.where(({ or, and, eb }) =>
          or([eb('status', '=', 'expired'), and([eb('status', '=', 'pending'), eb('expires_at', '<=', today())])]),
        );
      else if (status !== undefined) found = found.where('status', '=', status);
      if (proposedBy !== undefined) found = found.where('proposed_by', '=', proposedBy);
      if (tool !== undefined) found = found.where('tool', '=', tool);
      if (risk !== undefined) found = found.where(sql`proposed -> 'data' ->> 'risk'`, '=', risk);
      const { total } = await found.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
      return {
        total: Number(total),
        proposals: await open(
          await found.selectAll().orderBy('created_at', 'desc').orderBy('id').offset(offset).limit(limit).execute(),
        ),
      };
    },
    same: (proposedBy, hash) =>
      first(
        table
          .selectAll()
          .where('status', '=', 'pending')
          .where('expires_at', '>', today())
          .where('proposed_by', '=', proposedBy)
          .where('arguments_hash', '=', hash)
          .orderBy('created_at')
          .limit(1)
          .execute(),
      ),
    unfinished: async (before, limit) =>
      (
        await table
          .select('id')
          .where('status', '=', 'approved')
          .where('decided_at', '<', before)
          .orderBy('decided_at')
          .limit(limit)
          .execute()
      ).map(({ id }) => id),
    overdue: async (limit) =>
      (
        await table
          .select('id')
          .where('status', '=', 'pending')
          .where('expires_at', '<=', today())
          .orderBy('expires_at')
          .limit(limit)
          .execute()
      ).map(({ id }) => id),
  };
}
