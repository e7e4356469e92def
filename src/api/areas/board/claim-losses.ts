/**
 * Takes claims from drivers who are no longer eligible after a change of the driver, a fleet or a skill. Reads the
 * changes from the log, so that a crash skips none. Later changes of the route itself do not take claims.
 */
import type { Cause } from '../../../commands/core/handle.js';
import { ACCOUNT_PREFIX, AccountDisabled } from '../../../events/accounts/events.js';
import type { Batch, Position, StoredEvent } from '../../../events/core/log.js';
import { DRIVER_PREFIX, DriverSkillsSet } from '../../../events/drivers/events.js';
import { DriverLeftFleet, FLEET_PREFIX, FleetDissolved } from '../../../events/fleets/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import { SkillRetired, SKILLS_PREFIX } from '../../../events/skills/events.js';
import type { BoardQueries } from '../../../projections/board/queries.js';
import type { BoardService } from './board-service.js';
import type { IneligibilityReason, EligibilityCheck } from './eligibility.js';

export const CLAIM_LOSSES = {
  name: 'claim_losses',
  version: 1,
  prefixes: [DRIVER_PREFIX, FLEET_PREFIX, SKILLS_PREFIX, ACCOUNT_PREFIX],
} as const;
/** Read models that determine the eligibility of drivers. */
export const ELIGIBILITY_READ_MODELS = [
  'board',
  'workers',
  'fleets',
  'skills',
  'accounts',
  'driver_documents',
] as const;

const DRIVER_EVENT_TYPES: ReadonlySet<string> = new Set([DriverSkillsSet.type, DriverLeftFleet.type]);
const BUSINESS_EVENT_TYPES: ReadonlySet<string> = new Set([FleetDissolved.type, SkillRetired.type]);
const LOSS_REASONS: ReadonlySet<IneligibilityReason | undefined> = new Set(['NOT_IN_FLEET', 'SKILLS_MISSING']);

export interface ClaimLossesOptions {
  readonly boards: Pick<BoardQueries, 'claimed'>;
  readonly checkEligibility: EligibilityCheck;
  readonly service: Pick<BoardService, 'lose'>;
  /** Waits until the read models in ELIGIBILITY_READ_MODELS contain the events up to this position. */
  readonly awaitReadModels: (position: Position) => Promise<unknown>;
  readonly now: () => number;
}

export function createClaimLosses({ boards, checkEligibility, service, awaitReadModels, now }: ClaimLossesOptions) {
  return async function removeLostClaims({ events, position }: Pick<Batch, 'events' | 'position'>): Promise<void> {
    const drivers = events.flatMap((event) => driverOf(event) ?? []);
    const businesses = events.flatMap(({ type, metadata }) =>
      BUSINESS_EVENT_TYPES.has(type) && metadata['business'] !== undefined ? Number(metadata['business']) : [],
    );
    if (drivers.length === 0 && businesses.length === 0) return;
    await awaitReadModels(position);
    for (const row of await boards.claimed([...new Set(drivers)], [...new Set(businesses)])) {
      const holder = row.holder!;
      const reason = (await checkEligibility(row, [holder])).get(holder);
      if (!LOSS_REASONS.has(reason)) continue;
      const commandId = derivedId('claim lost', position, row.id, holder);
      const cause: Cause = {
        correlationId: commandId,
        actor: { kind: 'system', id: 'claim_losses' },
        channel: 'system',
        business: String(row.business),
      };
      await service.lose(row, holder, reason!, { cause, commandId, time: now(), wrote: () => undefined });
    }
  };
}

function driverOf({ type, stream, data }: StoredEvent): number | undefined {
  if (type === AccountDisabled.type) return Number(stream.slice(ACCOUNT_PREFIX.length));
  return DRIVER_EVENT_TYPES.has(type) ? (data['driver_id'] as number) : undefined;
}
