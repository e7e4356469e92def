/**
 * Decides about one label order, its labels and its bill. The bill is in the same stream, so an order cannot be paid and
 * cancelled at the same time, and no label is bought before a required payment.
 */
import { ChargesSet } from '../../events/bill/events.js';
import type { Fact } from '../../events/core/codec.js';
import { LABEL_EFFECTS, LABEL_VOID } from '../../events/labels/effects.js';
import {
  LabelInformationSubmitted,
  labelStream,
  LabelStatusFollowed,
  ManifestConfirmed,
  ManifestJoined,
  ManifestLeft,
} from '../../events/labels/events.js';
import { decisiveScan } from '../../events/labels/followed-scan.js';
import { isVoiding, labelOrderState } from '../../events/labels/state.js';
import { isEnded } from '../../events/effects/progress.js';
import type { EffectCommand } from '../../events/effects/records.js';
import { IN_HAND } from '../../events/otep/codes.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider, Decision, PastEvent } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';
import { recordEffect } from '../effects/book.js';
import type { BillOf } from '../bill/command.js';
import { changeLabelBill, LABEL_FAMILY, labelBillOf, followingBill } from './billing.js';
import type {
  ConfirmManifest,
  FollowLabelScan,
  JoinManifest,
  LabelCommand,
  LabelOrderCommand,
  LabelReply,
  LeaveManifest,
} from './command.js';
import { create, purchase, storeLabel, type Ruling } from './purchasing.js';
import { evolve, initial, type LabelState } from './state.js';
import { afterVoidStep, cancel, reportVoid } from './voiding.js';

export { LABEL_FAMILY };
export type { LabelCommand, LabelReply } from './command.js';

/** The part of a label order that has a version for callers of its bill: the charges. */
export const LABEL_CHARGES = 'charges';

export const labels: Decider<LabelState, LabelCommand, LabelReply> = {
  initial,
  begins: (command) => command.do === 'create',
  partOf: ({ type }) => (type === ChargesSet.type ? LABEL_CHARGES : undefined),

  decide(state, command) {
    if (command.do === 'effect') return recordStep(state, command);
    const { orderId, business, commandId } = command;
    // An order of another business gets the same error as a missing order.
    if (
      command.do === 'create'
        ? state.created !== undefined && state.created.business !== business
        : state.created?.business !== business
    )
      throw new DomainError(command.do === 'create' ? 'ORDER_EXISTS' : 'ORDER_NOT_FOUND');
    if (state.done.has(eventId(orderId, commandId, 0))) return { facts: [], reply: replyOf(state) };
    if (command.do === 'create' && state.created) throw new DomainError('ORDER_EXISTS');
    const of = labelBillOf(state, command);
    const { events, begun = [] } = rulingOf(state, command, of);
    const factsOf = numbered(labelStream(orderId), (n) => eventId(orderId, commandId, n));
    const facts = [...factsOf(events), ...begun];
    const back = followingBill(state, stateAfter(state, facts), of);
    return decided(state, [...facts, ...factsOf(back, events.length)]);
  },

  evolve,
};

const eventId = (orderId: number, commandId: string, n: number): string =>
  derivedId('label order', orderId, commandId, n);

/** Facts with ids by their position. */
const numbered =
  (subject: string, idOf: (n: number) => string) =>
  (events: readonly NewEvent[], from = 0): Fact[] =>
    events.map(({ type, data }, n) => ({ id: idOf(from + n), type, data, subject }));

function rulingOf(state: LabelState, command: LabelOrderCommand, of: BillOf): Ruling {
  switch (command.do) {
    case 'create':
      return create(state, command, command, of);
    case 'purchase':
      return purchase(state, command, of);
    case 'cancel':
      return cancel(state, command, command);
    case 'report_void':
      return reportVoid(state, command);
    case 'store_label':
      return storeLabel(state, command);
    case 'join_manifest':
      return { events: join(state, command) };
    case 'leave_manifest':
      return { events: leave(state, command) };
    case 'confirm_manifest':
      return { events: confirm(state, command) };
    case 'submit_information':
      return { events: submit(state, command.by) };
    case 'follow_scan':
      return { events: follow(state, command) };
    default:
      return changeLabelBill(state, command, of);
  }
}

/** A label is in at most one open manifest (R7). Throws NO_LABEL, LABEL_IN_USE and PURCHASE_IN_PROGRESS. */
function join({ order }: LabelState, { manifestId }: JoinManifest): NewEvent[] {
  const { manifest } = order;
  if (manifest?.id === manifestId) return [];
  mustBePurchased(order);
  if (manifest) throw new DomainError('LABEL_IN_USE');
  return [newEvent(ManifestJoined, { manifest_id: manifestId })];
}

function leave({ order: { manifest } }: LabelState, { manifestId, why }: LeaveManifest): NewEvent[] {
  const isIn = manifest?.id === manifestId && !manifest.is_confirmed;
  return isIn ? [newEvent(ManifestLeft, { manifest_id: manifestId, why })] : [];
}

function confirm({ order: { manifest } }: LabelState, { manifestId, carrierReference }: ConfirmManifest): NewEvent[] {
  const isIn = manifest?.id === manifestId && !manifest.is_confirmed;
  return isIn ? [newEvent(ManifestConfirmed, { manifest_id: manifestId, carrier_reference: carrierReference })] : [];
}

/** A manifest that the order is in submits it. */
function submit({ order }: LabelState, by: number | undefined): NewEvent[] {
  if (order.is_submitted || order.manifest) return [];
  mustBePurchased(order);
  return [newEvent(LabelInformationSubmitted, { submitted_by: by })];
}

/** All labels exist, no void is in progress, and the carrier does not have the parcels yet. */
function mustBePurchased(order: LabelState['order']): void {
  const state = labelOrderState(order);
  if (state !== 'LABEL_PURCHASED' && state !== 'SUBMITTED') throw new DomainError('NO_LABEL', { state });
  if (order.shipments.some(isVoiding)) throw new DomainError('LABEL_IN_USE');
}

function follow({ order }: LabelState, { packageId, statusCode, instant, scan }: FollowLabelScan): NewEvent[] {
  const parcel = order.packages.find(({ package_id }) => package_id === packageId);
  if (!parcel) return [];
  const isFirstInHand = IN_HAND.has(statusCode) && !parcel.was_in_hand;
  // An older scan, or one after the end of the journey, changes nothing.
  if (decisiveScan(parcel.status, { code: statusCode, instant }) === parcel.status && !isFirstInHand) return [];
  return [newEvent(LabelStatusFollowed, { package_id: packageId, status_code: statusCode, instant, scan })];
}

/** Records a step of an effect, and the events that follow from it. */
function recordStep(state: LabelState, command: EffectCommand): Decision<LabelReply> {
  const { created } = state;
  const subject = created && labelStream(created.order_id);
  const { facts, reply } = recordEffect(LABEL_EFFECTS, state.effects, command, subject);
  const [step] = facts;
  if (!step || !created || !reply.effect) return { facts, reply: { ...replyOf(state), ...reply } };
  const recorded = stateAfter(state, facts);
  const events = command.kind === LABEL_VOID.kind ? afterVoidStep(recorded, reply.effect.about) : [];
  const factsOf = numbered(subject!, (n) => derivedId('label effect', step.id, n));
  const all = [...facts, ...factsOf(events)];
  const of = labelBillOf(state, { commandId: step.id, orderId: created.order_id, business: created.business });
  const back = followingBill(state, stateAfter(state, all), of);
  const decision = decided(state, [...all, ...factsOf(back, events.length)]);
  return { ...decision, reply: { ...decision.reply, ...reply } };
}

const decided = (state: LabelState, facts: readonly Fact[]): Decision<LabelReply> => ({
  facts,
  reply: replyOf(stateAfter(state, facts)),
});

const stateAfter = (state: LabelState, facts: readonly Fact[]): LabelState =>
  facts.reduce(
    (now, { id, type, data }) => evolve(now, { id, type: type.type, data: data as PastEvent['data'] }),
    copyOf(state),
  );

/** A state that can be changed without changing the original. */
const copyOf = (state: LabelState): LabelState => ({
  ...state,
  effects: new Map(state.effects),
  done: new Set(state.done),
});

const replyOf = ({ order, bill, effects }: LabelState): LabelReply => ({
  bill,
  order,
  state: labelOrderState(order),
  effect: undefined,
  open: [...effects.values()].filter((effect) => !isEnded(effect)),
});
