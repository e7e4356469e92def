/**
 * A simple model of proposals as the specification describes them. Each is decided once, and executed at most once and
 * exactly as it was made.
 */
import fc from 'fast-check';
import { ORDERS, type DispatchModel } from './dispatch-model.js';

const HOUR_MS = 3_600_000;
const PENDING_MS = 72 * HOUR_MS;
/** Time after which the unfinished work of a dead process is abandoned. */
const GIVE_UP_MS = 12 * HOUR_MS;

export const proposalStep = fc.record({
  act: fc.constantFrom(
    'propose',
    'propose',
    'propose',
    'approve',
    'approve',
    'approve',
    'claim',
    'die',
    'die',
    'reject',
    'finish',
    'finish',
    'finish',
    'expire',
    'expire',
    'wait',
    'wait',
  ),
  what: fc.constantFrom('hold' as const, 'note' as const, 'note' as const),
  order: fc.integer({ min: 1, max: ORDERS }),
  /** Business of the calling user. */
  business: fc.constantFrom(1, 1, 1, 1, 2),
  /**
   * Index among the proposals so far, from the newest on. Usually replaced by a proposal for which the act is due, if
   * there is one.
   */
  back: fc.integer({ min: 0, max: 2 }),
  /** Less than the time after which unfinished work is abandoned, or more than the lifetime of a proposal. */
  hours: fc.constantFrom(1, 1, 2, 80),
});
export type ProposalStep = typeof proposalStep extends fc.Arbitrary<infer T> ? T : never;

export interface PlainProposal {
  /** Assigned by the service. */
  id: string;
  readonly what: ProposalStep['what'];
  readonly order: number;
  readonly business: number;
  readonly expires: number;
  /**
   * Number of changes of the order when the proposal was made. Absent if the write would change nothing; then later
   * changes do not matter.
   */
  readonly seen: number | undefined;
  status: 'pending' | 'approved' | 'executed' | 'failed' | 'rejected' | 'expired';
  approvedAt: number;
  /** Number of resulting events. */
  eventCount: 0 | 1;
}

/** The model of dispatch contains the orders that proposals change. */
export class ProposalsModel {
  readonly all: PlainProposal[] = [];

  constructor(readonly dispatch: DispatchModel) {}

  /** Returns the proposal of a step. */
  chosen({ act, back }: ProposalStep, now: number): PlainProposal | undefined {
    const isDue = (one: PlainProposal): boolean => {
      if (act === 'finish') return one.status === 'approved';
      return act === 'expire' ? one.status !== statusAt(one, now) : statusAt(one, now) === 'pending';
    };
    const due = act === 'finish' || act === 'expire' || back < 2 ? this.all.findLast(isDue) : undefined;
    return due ?? this.all.at(-1 - back);
  }

  /**
   * Returns the proposal that the response names: a new one, or an equal one that is already pending. Undefined if
   * rejected.
   */
  propose({ what, order, business }: ProposalStep, now: number): PlainProposal | undefined {
    // A repeated proposal is the same one while it is pending, even if the order has changed since.
    const same = this.all.find(
      (one) =>
        statusAt(one, now) === 'pending' && one.what === what && one.order === order && one.business === business,
    );
    if (same) return same;
    const effect = this.#wouldChange(what, order, business);
    if (effect === 'refused') return undefined;
    const seen = effect === 'changed' ? this.dispatch.orders.get(order)!.changes : undefined;
    const made: PlainProposal = {
      id: '',
      what,
      order,
      business,
      expires: now + PENDING_MS,
      seen,
      status: 'pending',
      approvedAt: 0,
      eventCount: 0,
    };
    this.all.push(made);
    return made;
  }

  /**
   * `claim`: the process dies after the approval. `die`: it dies after the execution, before the result is recorded.
   */
  approve(one: PlainProposal, how: 'approve' | 'claim' | 'die', by: number, now: number): boolean {
    if (statusAt(one, now) !== 'pending' || (how !== 'claim' && by !== one.business)) return false;
    const effect = this.#wouldChange(one.what, one.order, one.business);
    // A proposal without effect has no change that a reviewer could have seen.
    const isOutdated =
      one.seen === undefined ? effect === 'changed' : this.dispatch.orders.get(one.order)!.changes !== one.seen;
    if (how !== 'claim' && (isOutdated || effect === 'refused')) {
      one.status = 'failed';
      return false;
    }
    Object.assign(one, { status: 'approved', approvedAt: now });
    if (how === 'claim') return true;
    this.#execute(one);
    if (how === 'approve') one.status = 'executed';
    return how === 'approve';
  }

  reject(one: PlainProposal, by: number, now: number): boolean {
    if (by !== one.business) return false;
    if (one.status === 'rejected') return true;
    if (statusAt(one, now) !== 'pending') return false;
    one.status = 'rejected';
    return true;
  }

  /** A write that was already executed is not executed again. */
  finish(one: PlainProposal, now: number): void {
    if (one.status !== 'approved') return;
    one.status = now - one.approvedAt <= GIVE_UP_MS && this.#execute(one) ? 'executed' : 'failed';
  }

  expire(one: PlainProposal, now: number): void {
    one.status = statusAt(one, now);
  }

  #wouldChange(what: ProposalStep['what'], order: number, business: number): 'changed' | 'same' | 'refused' {
    if (what === 'hold') return this.dispatch.wouldHold(order, business);
    return this.dispatch.orders.get(order)!.business === business ? 'changed' : 'refused';
  }

  #execute(one: PlainProposal): boolean {
    if (one.eventCount > 0) return true;
    const effect = this.#wouldChange(one.what, one.order, one.business);
    if (effect !== 'changed') return effect === 'same';
    if (one.what === 'hold') this.dispatch.hold(one.order, one.business);
    else this.dispatch.orders.get(one.order)!.changes++;
    one.eventCount = 1;
    return true;
  }
}

/** A proposal may have expired before the expiry is recorded. */
export const statusAt = ({ status, expires }: PlainProposal, now: number): PlainProposal['status'] =>
  status === 'pending' && now >= expires ? 'expired' : status;
