/** The read model of proposals: one row per proposal, with its events as stored, still encrypted. */
import {
  PROPOSAL_PREFIX,
  ProposalApproved,
  ProposalExecuted,
  ProposalExpired,
  ProposalFailed,
  ProposalRejected,
  WriteProposed,
  type ProposalStatus,
} from '../../events/approvals/events.js';
import type { JsonObject, StoredEvent } from '../../events/core/log.js';
import { integer, json, optional, text, uuid, type RowOf } from '../core/columns.js';
import { table } from '../core/table.js';

/** The data of an event, and the id that is needed to decrypt it. */
export interface ProposalEvent {
  readonly id: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly data: JsonObject;
}

const columns = {
  id: uuid(),
  business: integer(),
  status: text<ProposalStatus>(),
  tool: text(),
  proposed_by: integer(),
  arguments_hash: text(),
  created_at: text(),
  expires_at: text(),
  decided_at: optional(text()),
  proposed: optional(json<ProposalEvent>()),
  /** The event of the decision. */
  decided: optional(json<ProposalEvent>()),
  /** The event with the result of the execution. */
  finished: optional(json<ProposalEvent>()),
};
export type ProposalRow = RowOf<typeof columns>;

const AFTER: Readonly<
  Record<string, { readonly status: ProposalStatus; readonly column: 'proposed' | 'decided' | 'finished' }>
> = {
  [WriteProposed.type]: { status: 'pending', column: 'proposed' },
  [ProposalApproved.type]: { status: 'approved', column: 'decided' },
  [ProposalRejected.type]: { status: 'rejected', column: 'decided' },
  [ProposalExpired.type]: { status: 'expired', column: 'decided' },
  [ProposalExecuted.type]: { status: 'executed', column: 'finished' },
  [ProposalFailed.type]: { status: 'failed', column: 'finished' },
};

export const approvals = table({
  name: 'approvals',
  table: 'proposals',
  version: 1,
  prefixes: [PROPOSAL_PREFIX],
  columns,
  indexes: [
    '(business, created_at desc)',
    "(expires_at) where status = 'pending'",
    "(decided_at) where status = 'approved'",
  ],
  fold(row, event): ProposalRow {
    const before: ProposalRow = row ?? {
      id: event.stream.slice(PROPOSAL_PREFIX.length),
      business: 0,
      status: 'pending',
      tool: '',
      proposed_by: 0,
      arguments_hash: '',
      created_at: '',
      expires_at: '',
      decided_at: null,
      proposed: null,
      decided: null,
      finished: null,
    };
    const after = AFTER[event.type];
    if (!after) return before;
    const stored: ProposalEvent = { id: event.id, at: event.metadata['recorded_at'] as string, data: event.data };
    return {
      ...before,
      ...(event.type === WriteProposed.type && opened(event)),
      ...(after.column === 'decided' && { decided_at: stored.at }),
      status: after.status,
      [after.column]: stored,
    };
  },
});

function opened({ data, metadata }: StoredEvent): Partial<ProposalRow> {
  const { business_id, tool, proposed_by, arguments_hash, expires_at } =
    data as unknown as (typeof WriteProposed.schema)['_output'];
  return {
    business: business_id,
    tool,
    proposed_by,
    arguments_hash,
    expires_at,
    created_at: metadata['recorded_at'] as string,
  };
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<'approvals', { 'approvals.proposals': ProposalRow }> {}
}
