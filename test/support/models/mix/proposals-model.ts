/**
 * Proposals as the specification has them, as plainly as it can be written down: decided once, carried out once, and
 * only as they were made.
 */
import fc from 'fast-check';
import { ORDERS, type DispatchModel } from './dispatch-model.js';

const HOUR_MS = 3_600_000;
const PENDING_MS = 72 * HOUR_MS;
/** What a dead process left is given up after this. */
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
  /** Whose user asks. */
  business: fc.constantFrom(1, 1, 1, 1, 2),
  /** Among the proposals so far, from the newest on; most often one that the act is due for, where there is one. */
  back: fc.integer({ min: 0, max: 2 }),
  /** Less than what is left behind is given up after, or more than a proposal waits. */
  hours: fc.constantFrom(1, 1, 2, 80),
});
export type ProposalStep = typeof proposalStep extends fc.Arbitrary<infer T> ? T : never;

export interface PlainProposal {
  /** Given by the service. */
  id: string;
  readonly what: ProposalStep['what'];
  readonly order: number;
  readonly business: number;
  readonly expires: number;
  /** How often the order had changed; absent: the write would have changed nothing, and holds nobody to anything. */
  readonly seen: number | undefined;
  status: 'pending' | 'approved' | 'executed' | 'failed' | 'rejected' | 'expired';
  approvedAt: number;
  /** Facts that it led to. */
  led: 0 | 1;
}

/** What is about to change belongs to the model of the orders. */
export class ProposalsModel {
  readonly all: PlainProposal[] = [];

  constructor(readonly dispatch: DispatchModel) {}

  /** The one that a step is about. */
  chosen({ act, back }: ProposalStep, now: number): PlainProposal | undefined {
    const isDue = (one: PlainProposal): boolean => {
      if (act === 'finish') return one.status === 'approved';
      return act === 'expire' ? one.status !== statusAt(one, now) : statusAt(one, now) === 'pending';
    };
    const due = act === 'finish' || act === 'expire' || back < 2 ? this.all.findLast(isDue) : undefined;
    return due ?? this.all.at(-1 - back);
  }

  /** The one that the answer names: a new one, or the same that is pending already; undefined: refused. */
  propose({ what, order, business }: ProposalStep, now: number): PlainProposal | undefined {
    // Asked for again while it waits, it is the same one, whatever has happened to the order since.
    const same = this.all.find(
      (one) =>
        statusAt(one, now) === 'pending' && one.what === what && one.order === order && one.business === business,
    );
    if (same) return same;
    const effect = this.#would(what, order, business);
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
      led: 0,
    };
    this.all.push(made);
    return made;
  }

  /** `claim`: and then the process dies. `die`: after it was carried out, before that was written down. */
  approve(one: PlainProposal, how: 'approve' | 'claim' | 'die', by: number, now: number): boolean {
    if (statusAt(one, now) !== 'pending' || (how !== 'claim' && by !== one.business)) return false;
    const isOutdated = one.seen !== undefined && this.dispatch.orders.get(one.order)!.changes !== one.seen;
    if (how !== 'claim' && (isOutdated || this.#would(one.what, one.order, one.business) === 'refused')) {
      one.status = 'failed';
      return false;
    }
    Object.assign(one, { status: 'approved', approvedAt: now });
    if (how === 'claim') return true;
    this.#carryOut(one);
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

  /** What is carried out already stays as it is. */
  finish(one: PlainProposal, now: number): void {
    if (one.status !== 'approved') return;
    one.status = now - one.approvedAt <= GIVE_UP_MS && this.#carryOut(one) ? 'executed' : 'failed';
  }

  expire(one: PlainProposal, now: number): void {
    one.status = statusAt(one, now);
  }

  #would(what: ProposalStep['what'], order: number, business: number): 'changed' | 'same' | 'refused' {
    if (what === 'hold') return this.dispatch.wouldHold(order, business);
    return this.dispatch.orders.get(order)!.business === business ? 'changed' : 'refused';
  }

  #carryOut(one: PlainProposal): boolean {
    if (one.led > 0) return true;
    const effect = this.#would(one.what, one.order, one.business);
    if (effect !== 'changed') return effect === 'same';
    if (one.what === 'hold') this.dispatch.hold(one.order, one.business);
    else this.dispatch.orders.get(one.order)!.changes++;
    one.led = 1;
    return true;
  }
}

/** Its time may be up before anybody has written it down. */
export const statusAt = ({ status, expires }: PlainProposal, now: number): PlainProposal['status'] =>
  status === 'pending' && now >= expires ? 'expired' : status;
