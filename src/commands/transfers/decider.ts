/**
 * Decides commands on a transfer. A step begins here, is executed for each parcel in the stream of its order, and its
 * outcomes are recorded here.
 */
import type { EventType } from '../../events/core/event-types.js';
import {
  TRANSFER_PREFIX,
  TransferArrivalScanned,
  TransferCompleted,
  TransferCreated,
  TransferPackageArrived,
  TransferPackageKeptBack,
  TransferPackageMarked,
  TransferPackageMissing,
  TransferPackageMoved,
  TransferPackageRefused,
  TransferPackageRolledBack,
  TransferPackageShipped,
  TransferRollbackBegun,
  TransferRolledBack,
  TransferShipped,
  transferStream,
  type TransferMode,
  type TransferReason,
} from '../../events/transfers/events.js';
import {
  duesOf,
  numbersAt,
  numbersMoved,
  transferAfter,
  type TransferState,
  type TransferStatus,
  type TransferStep,
} from '../../events/transfers/state.js';
import type { Decider } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { entity, newEvent, type EntityCommand, type EntityState, type NewEvent } from '../core/entity.js';

/** The outcome of a step for one parcel. `code`: the error code if the step was rejected. */
export interface StepOutcome {
  readonly tracking_number: string;
  readonly step: TransferStep;
  readonly code?: string;
}

export type TransferChange =
  | {
      readonly do: 'create';
      readonly from: number;
      readonly to: number;
      readonly mode: TransferMode;
      readonly reason_code: TransferReason;
      readonly note?: string | undefined;
      readonly packages: { readonly order_id: number; readonly tracking_number: string }[];
      readonly by: number;
    }
  | {
      readonly do: 'ship';
      readonly seal?: string | undefined;
      readonly vehicle?: string | undefined;
      readonly by: number;
    }
  /** Numbers of parcels that are not in transit are ignored. */
  | { readonly do: 'arrive'; readonly tracking_numbers: readonly string[]; readonly by: number }
  | { readonly do: 'complete'; readonly by: number }
  /**
   * `tracking_numbers` absent: all parcels. A second rollback changes nothing. Throws NOT_OF_TRANSFER if a parcel was
   * not moved by this transfer.
   */
  | {
      readonly do: 'rollback';
      readonly tracking_numbers?: readonly string[] | undefined;
      readonly reason: string;
      readonly by: number;
    }
  | { readonly do: 'record'; readonly outcomes: readonly StepOutcome[] }
  /** Changes nothing; the reply contains the state. */
  | { readonly do: 'look' };
export type TransferCommand = EntityCommand & TransferChange & { readonly id: number };

interface Own {
  current: TransferState | undefined;
}

const EVENT_OF_STEP: Readonly<Record<TransferStep, EventType<{ tracking_number: string }>>> = {
  book: TransferPackageMoved,
  mark: TransferPackageMarked,
  ship: TransferPackageShipped,
  arrive: TransferPackageArrived,
  miss: TransferPackageMissing,
  back: TransferPackageRolledBack,
};

const transfer = entity<Own, TransferCommand>({
  name: TRANSFER_PREFIX,
  makes: 'create',
  notFound: 'TRANSFER_NOT_FOUND',
  subject: (id) => transferStream(id as number),
  initial: () => ({ current: undefined }),
  decide({ current }, command) {
    if (command.do === 'create') {
      const { do: _do, commandId: _command, id, ...data } = command;
      return newEvent(TransferCreated, { transfer_id: id, ...data });
    }
    const state = current!;
    switch (command.do) {
      case 'ship':
        mustBe(state, 'open');
        return newEvent(TransferShipped, { seal: command.seal, vehicle: command.vehicle, by: command.by });
      case 'arrive': {
        mustBe(state, 'shipped', 'arriving');
        const shipped = new Set(numbersAt(state, 'shipped'));
        const tracking_numbers = command.tracking_numbers.filter((number) => shipped.has(number));
        return tracking_numbers.length === 0
          ? undefined
          : newEvent(TransferArrivalScanned, { tracking_numbers, by: command.by });
      }
      case 'complete': {
        mustBe(state, 'shipped', 'arriving');
        const [arrived, missing] = [numbersAt(state, 'arrived').length, numbersAt(state, 'shipped').length];
        return newEvent(TransferCompleted, { arrived, missing, by: command.by });
      }
      case 'rollback': {
        if (state.status === 'rolling_back' || state.status === 'rolled_back') return undefined;
        mustBe(state, 'moved', 'open', 'shipped', 'arriving', 'completed');
        const { tracking_numbers, reason, by } = command;
        const moved = numbersMoved(state);
        const strange = tracking_numbers?.filter((number) => !moved.includes(number)) ?? [];
        if (strange.length > 0) throw new DomainError('NOT_OF_TRANSFER', { numbers: strange.slice(0, 20).join(', ') });
        const chosen = moved.filter((number) => tracking_numbers?.includes(number) ?? true);
        const begun = newEvent(TransferRollbackBegun, { tracking_numbers: chosen, reason, by });
        return chosen.length > 0 ? begun : [begun, newEvent(TransferRolledBack, { rolled_back: 0, kept: 0 })];
      }
      case 'record':
        return recorded(state, command.outcomes);
      case 'look':
        return undefined;
    }
  },
  evolve(own, { type, data }) {
    own.current = transferAfter(own.current, type, data);
    return own;
  },
});

/** The reply is the transfer after the command. */
export const transfers: Decider<EntityState<Own>, TransferCommand, TransferState> = {
  ...transfer,
  decide(state, command) {
    const { facts } = transfer.decide(state, command);
    const after = facts.reduce<TransferState | undefined>(
      (next, { type, data }) => transferAfter(next, type.type, data as Record<string, unknown>),
      state.own.current,
    );
    return { facts, reply: after! };
  },
};

/** Skips outcomes that are already recorded, because two processes may have executed the same step. */
function recorded(state: TransferState, outcomes: readonly StepOutcome[]): NewEvent[] {
  const newOutcomes = outcomes.filter(({ tracking_number, step }) => state.packages[tracking_number]?.due === step);
  const newEvents = newOutcomes.map(({ tracking_number, step, code }): NewEvent => {
    if (code === undefined) return newEvent(EVENT_OF_STEP[step], { tracking_number });
    return newEvent(step === 'back' ? TransferPackageKeptBack : TransferPackageRefused, { tracking_number, code });
  });
  const isLast =
    state.status === 'rolling_back' && newOutcomes.length > 0 && newOutcomes.length === duesOf(state).length;
  if (!isLast) return newEvents;
  const after = newEvents.reduce((next, { type, data }) => transferAfter(next, type.type, data as never), state);
  const [back, kept] = [numbersAt(after, 'rolled_back').length, numbersAt(after, 'kept_back').length];
  return [...newEvents, newEvent(TransferRolledBack, { rolled_back: back, kept })];
}

/** No step may begin while another one is in progress. */
function mustBe(state: TransferState, ...statuses: TransferStatus[]): void {
  if (!statuses.includes(state.status)) throw new DomainError('TRANSFER_STATE', { status: state.status });
  if (duesOf(state).length > 0) throw new DomainError('TRANSFER_UNDER_WAY');
}
