/** State of a transfer and its parcels, folded from its events. The decider and the read model share it. */
import {
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
  type TransferMode,
} from './events.js';

export const TRANSFER_STATUSES = [
  'moved',
  'open',
  'shipped',
  'arriving',
  'completed',
  'rolling_back',
  'rolled_back',
] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

/** The step to execute for a parcel, in the stream of its order. */
export type TransferStep = 'book' | 'mark' | 'ship' | 'arrive' | 'miss' | 'back';
export const TRANSFERRED = [
  'pending',
  'moved',
  'marked',
  'refused',
  'shipped',
  'arrived',
  'missing',
  'rolled_back',
  'kept_back',
] as const;

export interface Transferred {
  readonly order_id: number;
  readonly at: (typeof TRANSFERRED)[number];
  /** A step that was started and has no recorded result yet. */
  readonly due?: TransferStep;
  /** Reason why the parcel was refused or kept. */
  readonly code?: string;
}

export interface TransferState {
  readonly from: number;
  readonly to: number;
  readonly mode: TransferMode;
  readonly status: TransferStatus;
  /** By tracking number. */
  readonly packages: Readonly<Record<string, Transferred>>;
}

const OUTCOMES: Readonly<Record<string, Transferred['at']>> = {
  [TransferPackageMoved.type]: 'moved',
  [TransferPackageMarked.type]: 'marked',
  [TransferPackageRefused.type]: 'refused',
  [TransferPackageShipped.type]: 'shipped',
  [TransferPackageArrived.type]: 'arrived',
  [TransferPackageMissing.type]: 'missing',
  [TransferPackageRolledBack.type]: 'rolled_back',
  [TransferPackageKeptBack.type]: 'kept_back',
};

export const duesOf = ({ packages }: Pick<TransferState, 'packages'>) =>
  Object.entries(packages).flatMap(([tracking_number, { order_id, due }]) =>
    due === undefined ? [] : [{ tracking_number, order_id, step: due }],
  );
/** Numbers of the parcels in one of these states. */
export const numbersAt = ({ packages }: Pick<TransferState, 'packages'>, ...places: Transferred['at'][]): string[] =>
  Object.keys(packages).filter((number) => places.includes(packages[number]!.at));

/** Numbers of the parcels that the transfer has moved, or will move, and that it can therefore roll back. */
export const numbersMoved = (transfer: Pick<TransferState, 'packages'>): string[] =>
  numbersAt(transfer, 'moved', 'marked', 'shipped', 'arrived', 'missing');

/** The state after an event; the first event creates it. */
export function transferAfter(
  state: TransferState | undefined,
  type: string,
  data: Readonly<Record<string, unknown>>,
): TransferState {
  if (type === TransferCreated.type || !state) return created(data as never);
  const outcome = OUTCOMES[type];
  if (outcome) {
    const { tracking_number, code } = data as { tracking_number: string; code?: string };
    const { order_id } = state.packages[tracking_number]!;
    const after = { order_id, at: outcome, ...(code !== undefined && { code }) };
    return { ...state, packages: { ...state.packages, [tracking_number]: after } };
  }
  const numbers = data['tracking_numbers'] as string[] | undefined;
  switch (type) {
    case TransferShipped.type:
      return begin(state, 'shipped', 'ship', numbersAt(state, 'marked'));
    case TransferArrivalScanned.type:
      return begin(state, 'arriving', 'arrive', numbers!);
    case TransferCompleted.type:
      return begin(state, 'completed', 'miss', numbersAt(state, 'shipped'));
    case TransferRollbackBegun.type:
      return begin(state, 'rolling_back', 'back', numbers!);
    case TransferRolledBack.type:
      return { ...state, status: 'rolled_back' };
    default:
      return state;
  }
}

function created({
  from,
  to,
  mode,
  packages,
}: {
  from: number;
  to: number;
  mode: TransferMode;
  packages: readonly { order_id: number; tracking_number: string }[];
}): TransferState {
  const due = mode === 'book' ? 'book' : 'mark';
  return {
    from,
    to,
    mode,
    status: mode === 'book' ? 'moved' : 'open',
    packages: Object.fromEntries(
      packages.map(({ order_id, tracking_number }) => [tracking_number, { order_id, at: 'pending', due }]),
    ),
  };
}

function begin(state: TransferState, status: TransferStatus, due: TransferStep, numbers: readonly string[]) {
  const begun = Object.fromEntries(numbers.map((number) => [number, { ...state.packages[number]!, due }]));
  return { ...state, status, packages: { ...state.packages, ...begun } };
}
