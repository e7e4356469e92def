/** Queries on the read model of proposals. */
import { sql } from 'kysely';
import type {
  ProposalApproved,
  ProposalExecuted,
  ProposalFailed,
  ProposalStatus,
  WriteProposed,
} from '../../events/approvals/events.js';
import { proposalSubject } from '../../events/approvals/events.js';
import { currentArguments } from '../../events/approvals/renamed-arguments.js';
import { currentName } from '../../events/approvals/renamed-operations.js';
import { unseal } from '../../events/core/codec.js';
import { KEY, type ListKey } from '../../sql/page-key.js';
import type { ProposalEvent, ProposalRow } from './read-model.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { Parts } from '../core/parts.js';

type DataOf<E extends { readonly schema: { readonly _output: unknown } }> = E['schema']['_output'];

/** A proposal with decrypted personal data. The personal data of an erased proposal is absent. */
export interface Proposal {
  readonly id: string;
  readonly business: number;
  readonly status: ProposalStatus;
  readonly createdAt: string;
  readonly proposed: DataOf<typeof WriteProposed>;
  /**
   * The decision: approval, rejection or recorded expiry. Absent for pending proposals, and for proposals that failed
   * before approval. An expiry has empty data.
   */
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
  /** Finds proposals of all businesses; the caller must check the business. */
  readonly byId: (id: string) => Promise<Proposal | undefined>;
  /** `-created_at`: newest first. `expires_at`: the proposal that expires first is first. */
  readonly list: (
    filter: {
      readonly business: number;
      readonly status?: ProposalStatus | undefined;
      readonly proposedBy?: number | undefined;
      readonly tool?: string | undefined;
      readonly risk?: string | undefined;
      readonly id?: string | undefined;
      readonly sort?: keyof typeof ORDERS | undefined;
    } & Range,
  ) => Promise<Omit<Page<Proposal>, 'rows'> & { readonly proposals: readonly Proposal[] }>;
  /** A pending proposal with the same call by the same user. */
  readonly same: (proposedBy: number, argumentsHash: string) => Promise<Proposal | undefined>;
  /** Ids of proposals that were approved before a time (RFC 3339, UTC) and have no result yet. */
  readonly unfinished: (before: string, limit: number) => Promise<string[]>;
  readonly overdue: (limit: number) => Promise<string[]>;
}

/** A proposal may wait for days. In the meantime, its operation and arguments may have been renamed. */
const underCurrentName = (proposed: Proposal['proposed']): Proposal['proposed'] => ({
  ...proposed,
  operation: currentName(proposed.operation),
  ...(proposed.arguments && { arguments: currentArguments(proposed.operation, proposed.arguments) }),
});

const ORDERS = {
  '-created_at': { columns: { created_at: KEY.instant, id: KEY.uuid }, descending: true },
  expires_at: { columns: { expires_at: KEY.instant, id: KEY.uuid } },
} as const satisfies Readonly<Record<string, ListKey>>;

export type ApprovalQueriesOptions = Parts<'database' | 'keyRing' | 'now'>;

export function createApprovalQueries({ database, keyRing, now }: ApprovalQueriesOptions): ApprovalQueries {
  const table = database.selectFrom('approvals.proposals').where('proposed', 'is not', null);
  const today = () => new Date(now()).toISOString();

  async function open(rows: readonly ProposalRow[]): Promise<Proposal[]> {
    const keys = await keyRing.existing(rows.map(({ id }) => proposalSubject(id)));
    const dataOf = ({ id, data }: ProposalEvent) => unseal(data, id, keys) as never;
    return rows.map(({ id, business, status, created_at, expires_at, proposed, decided, finished }) => ({
      id,
      business,
      createdAt: created_at,
      // A proposal expires before the event that records the expiry.
      status: status === 'pending' && expires_at <= today() ? 'expired' : status,
      proposed: underCurrentName(dataOf(proposed!)),
      ...(decided && { decided: { id: decided.id, at: decided.at, data: dataOf(decided) } }),
      ...(finished && { finished: { at: finished.at, data: dataOf(finished) } }),
    }));
  }

  const first = async (rows: Promise<ProposalRow[]>) => (await open(await rows))[0];

  return {
    byId: (id) => first(table.selectAll().where('id', '=', id).execute()),
    async list({ business, status, proposedBy, tool, risk, id, sort = '-created_at', ...range }) {
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
      const { rows, ...page } = await pageOf(found.selectAll(), range, ORDERS[sort]);
      return { ...page, proposals: await open(rows) };
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
