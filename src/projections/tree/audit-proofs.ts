/** Proofs that events are contained in published heads, as documents that can be verified without the service. */
import type { Pool } from 'pg';
import type { EventLog, Position, StoredEvent } from '../../events/core/log.js';
import { leafOf } from '../../events/tree/leaf.js';
import { inBase64, type ConsistencyProof, type InclusionProof } from '../../events/tree/proof-documents.js';
import { headOfSize, latestHead } from './heads.js';
import { leafAt } from './leaves.js';
import { consistencyProof, inclusionProof } from './tree-proofs.js';

/** Identifies an event by stream and revision, or by its position in the log. */
export type EventPlace = { readonly stream: string; readonly revision: number } | { readonly position: Position };

export type AuditProofs = ReturnType<typeof createAuditProofs>;

export function createAuditProofs({ pool, log }: { readonly pool: Pool; readonly log: EventLog }) {
  const headOf = (size: number | undefined) => (size === undefined ? latestHead(pool) : headOfSize(pool, size));

  return {
    /**
     * Returns the proof and the event. `unpublished`: no head contains the event yet. Undefined: the event does not
     * exist, no head has this size, or the event came later.
     */
    async inclusion(
      place: EventPlace,
      size?: number,
    ): Promise<
      | { readonly proof: InclusionProof; readonly event: StoredEvent; readonly verifierKey: string }
      | { readonly unpublished: StoredEvent }
      | undefined
    > {
      const named = 'position' in place ? undefined : await eventOf(log, place.stream, place.revision);
      const position = 'position' in place ? place.position : named?.position;
      if (position === undefined) return undefined;
      const leaf = await leafAt(position, { pool, log });
      // Reads the event from the log's engine, because a subscription may return appends that this process has cached.
      const event = named ?? (leaf && (await eventOf(log, leaf.event.stream, leaf.event.revision)));
      if (!event || !leaf) return event && { unpublished: event };
      const head = await headOf(size);
      // A head with a given size never contains later events.
      if (size !== undefined && (!head || leaf.index >= head.size)) return undefined;
      if (!head || leaf.index >= head.size) return { unpublished: event };
      const proof = inBase64(await inclusionProof(pool, leaf.index, head.size));
      return {
        proof: { kind: 'inclusion', leaf: leafOf(event), index: leaf.index, proof, checkpoint: head.note },
        event,
        verifierKey: head.key,
      };
    },

    /**
     * The proof between the heads of these sizes. `to` absent: the latest head. Undefined if there are no such heads.
     * Throws RangeError if `from` is larger than `to`.
     */
    async consistency(from: number, to?: number): Promise<ConsistencyProof | undefined> {
      const [first, second] = await Promise.all([headOf(from), headOf(to)]);
      return (
        first &&
        second && {
          kind: 'consistency',
          first: first.note,
          second: second.note,
          proof: inBase64(await consistencyProof(pool, first.size, second.size)),
        }
      );
    },
  };
}

async function eventOf(log: EventLog, stream: string, revision: number): Promise<StoredEvent | undefined> {
  for await (const event of log.read(stream, revision)) return event.revision === revision ? event : undefined;
  return undefined;
}
