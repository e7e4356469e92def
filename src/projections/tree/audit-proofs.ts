/** Proofs of events against published heads, as documents that check without the service. */
import type { Pool } from 'pg';
import type { EventLog, Position, StoredEvent } from '../../events/core/log.js';
import { leafOf } from '../../events/tree/leaf.js';
import { inBase64, type ConsistencyProof, type InclusionProof } from '../../events/tree/proof-documents.js';
import { headOfSize, latestHead } from './heads.js';
import { leafAt } from './leaves.js';
import { consistencyProof, inclusionProof } from './tree-proofs.js';

/** Which event: by its place in its stream, or by its position in the log. */
export type EventPlace = { readonly stream: string; readonly revision: number } | { readonly position: Position };

export type AuditProofs = ReturnType<typeof createAuditProofs>;

export function createAuditProofs({ pool, log }: { readonly pool: Pool; readonly log: EventLog }) {
  const headOf = (size: number | undefined) => (size === undefined ? latestHead(pool) : headOfSize(pool, size));

  return {
    /**
     * The proof and the event; `unpublished`: no head holds it yet; undefined: there is no such event, or no head of that
     * size, or the event came after it.
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
      // As the log's engine holds it now: a subscription may tell what this process remembers of its own appends.
      const event = named ?? (leaf && (await eventOf(log, leaf.event.stream, leaf.event.revision)));
      if (!event || !leaf) return event && { unpublished: event };
      const head = await headOf(size);
      // A head that is named never holds what came after it.
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
     * Between the heads of these sizes, the latest one where `to` is absent; undefined where there are no such heads.
     * Throws RangeError when `from` is the larger one.
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
