/** The read model of proposals: one row each, with the events that made it as they are, still sealed. */
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
import type { Projection } from '../core/projection.js';

/** An event's data and what opens it. */
export interface KeptEvent {
  readonly id: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly data: JsonObject;
}

export interface ProposalRow {
  readonly id: string;
  business: number;
  status: ProposalStatus;
  tool: string;
  proposed_by: number;
  arguments_hash: string;
  created_at: string;
  expires_at: string;
  decided_at: string | null;
  proposed: KeptEvent | null;
  /** How it was decided. */
  decided: KeptEvent | null;
  /** How its execution went. */
  finished: KeptEvent | null;
}

const AFTER: Readonly<
  Record<string, { readonly status: ProposalStatus; readonly kept: 'proposed' | 'decided' | 'finished' }>
> = {
  [WriteProposed.type]: { status: 'pending', kept: 'proposed' },
  [ProposalApproved.type]: { status: 'approved', kept: 'decided' },
  [ProposalRejected.type]: { status: 'rejected', kept: 'decided' },
  [ProposalExpired.type]: { status: 'expired', kept: 'decided' },
  [ProposalExecuted.type]: { status: 'executed', kept: 'finished' },
  [ProposalFailed.type]: { status: 'failed', kept: 'finished' },
};

export const approvals: Projection<ProposalRow> = {
  name: 'approvals',
  version: 1,
  prefixes: [PROPOSAL_PREFIX],
  tables: `
    create table :schema.proposals (
      id             uuid primary key,
      business       integer not null,
      status         text not null,
      tool           text not null,
      proposed_by    integer not null,
      arguments_hash text not null,
      created_at     text not null,
      expires_at     text not null,
      decided_at     text,
      proposed       json,
      decided        json,
      finished       json
    );
    create index on :schema.proposals (business, created_at desc);
    create index on :schema.proposals (expires_at) where status = 'pending';
    create index on :schema.proposals (decided_at) where status = 'approved';`,
  keyOf: (event) => event.stream.slice(PROPOSAL_PREFIX.length),
  rowPerStream: true,

  fold(row, event) {
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
    const kept: KeptEvent = { id: event.id, at: event.metadata['recorded_at'] as string, data: event.data };
    return {
      ...before,
      ...(event.type === WriteProposed.type && opened(event)),
      ...(after.kept === 'decided' && { decided_at: kept.at }),
      status: after.status,
      [after.kept]: kept,
    };
  },

  async load(db, schema, keys) {
    const { rows } = await db.query<ProposalRow>(`select * from ${schema}.proposals where id = any ($1)`, [keys]);
    return new Map(rows.map((row) => [row.id, row]));
  },

  async save(db, schema, changed) {
    await db.query(
      `insert into ${schema}.proposals select * from json_populate_recordset(null::${schema}.proposals, $1)
       on conflict (id) do update set business = excluded.business, status = excluded.status, tool = excluded.tool, proposed_by = excluded.proposed_by, arguments_hash = excluded.arguments_hash,
         created_at = excluded.created_at, expires_at = excluded.expires_at, decided_at = excluded.decided_at, proposed = excluded.proposed, decided = excluded.decided, finished = excluded.finished`,
      [JSON.stringify([...changed.values()])],
    );
  },
};

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
  interface ReadModels {
    approvals: true;
  }
}
