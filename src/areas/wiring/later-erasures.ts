/**
 * Follows the log, and erases later data about erased subjects, also data of the time of the erasure: documents with
 * events of its parcels, proposals about it, orders and addresses of a customer.
 */
import type { Erasing } from '../../commands/privacy/erasing.js';
import { accountSubject } from '../../events/accounts/events.js';
import { ADDRESS_PREFIX, AddressSaved } from '../../events/addresses/events.js';
import {
  PROPOSAL_PREFIX,
  ProposalExecuted,
  ProposalExpired,
  ProposalFailed,
  ProposalRejected,
} from '../../events/approvals/events.js';
import { CAPTURE_PREFIX, EpcisCaptureFinished } from '../../events/captures/events.js';
import type { StoredEvent } from '../../events/core/log.js';
import { ORDER_PREFIX, OrderCreated } from '../../events/orders/events.js';
import type { Engines } from '../../engines/open.js';
import { startFollower, type Follower } from '../../projections/core/follower.js';
import { createLaterKeys, type LaterData, type LaterKey } from '../../projections/privacy/later-data.js';
import type { Parts } from '../../api/core/parts.js';

export const ERASURE_POLICY = {
  name: 'erasure_policy',
  version: 1,
  prefixes: [CAPTURE_PREFIX, PROPOSAL_PREFIX, ORDER_PREFIX, ADDRESS_PREFIX],
} as const;

const MAX_PAUSE_MS = 5_000;

const ENDED_PROPOSAL: ReadonlySet<string> = new Set([
  ProposalExecuted.type,
  ProposalFailed.type,
  ProposalRejected.type,
  ProposalExpired.type,
]);

export function startLaterErasures({
  engines: { log, pool, projectionPool, holder: owner },
  progress,
  erasing,
  onError,
}: Parts<'progress'> & {
  engines: Pick<Engines, 'log' | 'pool' | 'projectionPool' | 'holder'>;
  erasing: Pick<Erasing, 'extend'>;
  onError: (error: unknown) => void;
}): Follower {
  const laterKeys = createLaterKeys({ pool, progress });
  return startFollower({
    reader: ERASURE_POLICY,
    log,
    pool: projectionPool,
    owner,
    progress,
    onError,
    background: true,
    maxPause: MAX_PAUSE_MS,
    // A batch that is repeated after a crash changes nothing: destroyed keys are not found again.
    async take({ events, position }) {
      const later = laterDataIn(events);
      if (Object.values(later).every((some) => some.length === 0)) return;
      const found = await laterKeys(later, position);
      for (const { subject, kind, business, keys } of bySubject(found))
        await erasing.extend({ subject, kind, business: business ?? undefined, keys }, events.at(-1)!.id);
    },
  });
}

function laterDataIn(events: readonly StoredEvent[]): LaterData {
  const streamsOf = (has: (event: StoredEvent) => boolean, prefix: string) => [
    ...new Set(events.filter(has).map(({ stream }) => stream.slice(prefix.length))),
  ];
  return {
    captures: streamsOf(({ type }) => type === EpcisCaptureFinished.type, CAPTURE_PREFIX),
    proposals: streamsOf(({ type }) => ENDED_PROPOSAL.has(type), PROPOSAL_PREFIX),
    belongings: events
      .filter(({ type, data }) => (type === OrderCreated.type || type === AddressSaved.type) && data['customer_id'])
      .map(({ stream, data }) => ({
        about: accountSubject(Number(data['customer_id'])),
        business: Number(data['business']),
        key: stream,
      })),
  };
}

function bySubject(found: readonly LaterKey[]): (Omit<LaterKey, 'key'> & { readonly keys: readonly string[] })[] {
  const subjects = new Map<string, Omit<LaterKey, 'key'> & { readonly keys: string[] }>();
  for (const { key, ...about } of found) {
    const one = subjects.get(about.subject) ?? { ...about, keys: [] };
    one.keys.push(key);
    subjects.set(about.subject, one);
  }
  return [...subjects.values()];
}
