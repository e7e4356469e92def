/** When the service asks carriers about parcels and voids. All times are in milliseconds. */
import type { LabelPollKey } from '../../engines/postgres/label-polls.js';
import type { TimeLimits } from '../../events/core/time-limits.js';
import { endsJourney } from '../../events/labels/followed-scan.js';
import { derivedId } from '../../events/otep/identity.js';
import { IN_HAND } from '../../events/otep/codes.js';

/** Part by which an interval is shorter or longer at most. */
const JITTER = 0.1;

type Limits = Pick<
  TimeLimits,
  'labelFirstPollMs' | 'labelPollMs' | 'labelMovingPollMs' | 'labelFirstVoidPollMs' | 'labelVoidPollMs'
>;

/** The delay of the first poll. */
export const firstPoll = (poll: LabelPollKey, limits: Limits): number =>
  withJitter(poll.kind === 'void' ? limits.labelFirstVoidPollMs : limits.labelFirstPollMs, poll, 0);

/** The delay of the next poll about a parcel with these statuses. Undefined: its journey has ended. */
export function nextTrackingPoll(
  poll: LabelPollKey & { readonly polls: number },
  statuses: readonly string[],
  limits: Limits,
): number | undefined {
  if (statuses.some(endsJourney)) return undefined;
  const isMoving = statuses.some((status) => IN_HAND.has(status));
  return withJitter(isMoving ? limits.labelMovingPollMs : limits.labelPollMs, poll, poll.polls + 1);
}

/** The delay of the next question about voids. */
export const nextVoidPoll = (poll: LabelPollKey & { readonly polls: number }, limits: Limits): number =>
  withJitter(limits.labelVoidPollMs, poll, poll.polls + 1);

/** Spreads the polls of labels that were bought together. The part follows from the poll, so that a repetition is equal. */
function withJitter(ms: number, { kind, orderId, about }: LabelPollKey, number: number): number {
  const part = parseInt(derivedId('label poll', kind, orderId, about, number).slice(0, 8), 16) / 0xffff_ffff;
  return Math.round(ms * (1 - JITTER + 2 * JITTER * part));
}
