/** Rules of cancellation: labels are voided before the carrier has the parcels, and the customer is refunded. */
import type { Fact } from '../../events/core/codec.js';
import { excessAmount, openPayment } from '../../events/bill/state.js';
import { isPositive } from '../../events/core/money.js';
import { LABEL_VOID } from '../../events/labels/effects.js';
import {
  labelStream,
  LabelOrderCancelled,
  LabelVoided,
  LabelVoidRejected,
  LabelVoidRequested,
} from '../../events/labels/events.js';
import { evolveLabelOrder, type LabelOrder, type LabelShipment } from '../../events/labels/order.js';
import { hasLabel, isPurchaseOpen, isVoiding, labelOrderState, shipmentOf } from '../../events/labels/state.js';
import { HANDED_OVER } from '../../events/labels/states.js';
import type { BillOf } from '../bill/command.js';
import { cancelBill } from '../bill/decide.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';
import { beginEffect } from '../effects/book.js';
import type { CancelLabelOrder, LabelAddress, ReportVoid } from './command.js';
import type { Ruling } from './purchasing.js';
import type { LabelState } from './state.js';

/**
 * A repetition changes nothing. Throws PURCHASE_IN_PROGRESS, PAYMENT_IN_PROGRESS, LABEL_IN_USE, NOT_VOIDABLE and, for a
 * single package, NO_LABEL.
 */
export function cancel(state: LabelState, command: CancelLabelOrder, { by }: LabelAddress, of: BillOf): Ruling {
  const { order, bill } = state;
  const { packageId, reason } = command;
  const status = labelOrderState(order);
  if (status === 'VOID_REQUESTED' || status === 'VOIDED' || status === 'CANCELLED') return { events: [] };
  if (isPurchaseOpen(order)) throw new DomainError('PURCHASE_IN_PROGRESS');
  if (openPayment(bill)) throw new DomainError('PAYMENT_IN_PROGRESS');
  const bought = order.shipments.filter(hasLabel);
  if (packageId !== undefined) return cancelPackage(state, packageId, command, by);
  if (bought.length === 0) {
    const cancelled = newEvent(LabelOrderCancelled, { reason, cancelled_by: by });
    return { events: [cancelled, ...cancelBill(bill, undefined, of)] };
  }
  return requestVoid(
    state,
    bought.filter((one) => !isVoiding(one)),
    command,
    { isWhole: true, by },
  );
}

function cancelPackage(
  state: LabelState,
  packageId: string,
  command: CancelLabelOrder,
  by: number | undefined,
): Ruling {
  const shipment = shipmentOf(state.order, packageId);
  if (!shipment?.bought) throw new DomainError('NO_LABEL', { state: labelOrderState(state.order) });
  if (!hasLabel(shipment) || isVoiding(shipment)) return { events: [] };
  // The carrier voids all packages of a shipment, or none.
  if (shipment.packages.length > 1) throw new DomainError('NOT_VOIDABLE');
  return requestVoid(state, [shipment], command, { isWhole: false, by });
}

function requestVoid(
  { created, order, effects }: LabelState,
  shipments: readonly LabelShipment[],
  { reason, refundOn, canVoid, digests }: CancelLabelOrder,
  { isWhole, by }: { readonly isWhole: boolean; readonly by: number | undefined },
): Ruling {
  if (HANDED_OVER.has(labelOrderState(order)) || isInOpenManifest(order)) throw new DomainError('LABEL_IN_USE');
  if (!canVoid) throw new DomainError('NOT_VOIDABLE');
  const { order_id, business, adapter, account_id } = created!;
  const requested = newEvent(LabelVoidRequested, {
    shipments: shipments.map(({ about }) => about),
    is_whole: isWhole,
    refund_on: refundOn,
    reason,
    requested_by: by,
  });
  const begun = shipments.flatMap(({ about }): readonly Fact[] => {
    const digest = digests[about];
    // Labels that were bought after the request was prepared: the client tries again.
    if (digest === undefined) throw new DomainError('PURCHASE_IN_PROGRESS');
    const account = String(account_id);
    return beginEffect(LABEL_VOID, effects, {
      stream: labelStream(order_id),
      business,
      about,
      adapter,
      account,
      digest,
    }).facts;
  });
  return { events: [requested], begun };
}

/** A manifest that the carrier is deciding about. */
const isInOpenManifest = ({ manifest }: LabelOrder): boolean => manifest !== undefined && !manifest.is_confirmed;

/** The events that follow from the report of the carrier about an accepted void. */
export function reportVoid(state: LabelState, { shipment: about, status }: ReportVoid, of: BillOf): Ruling {
  const shipment = state.order.shipments.find((one) => one.about === about);
  const isWaiting = shipment?.void?.step === 'done' && shipment.void.ended === undefined;
  return { events: isWaiting ? confirmed(state, shipment, status, of) : [] };
}

/** The events that follow when the carrier has accepted a void, in the same append. */
export function afterVoidStep(state: LabelState, about: string, of: BillOf): NewEvent[] {
  const shipment = state.order.shipments.find((one) => one.about === about);
  const { step, status } = shipment?.void ?? {};
  return shipment && step === 'done' && status ? confirmed(state, shipment, status, of) : [];
}

function confirmed(state: LabelState, shipment: LabelShipment, status: string, of: BillOf): NewEvent[] {
  const { about, bought, void: attempt } = shipment;
  const ended = { shipment: about, effect_id: attempt!.effect_id };
  const events =
    status === 'rejected'
      ? [newEvent(LabelVoidRejected, ended)]
      : status === 'submitted'
        ? []
        : [newEvent(LabelVoided, { ...ended, ...(status === 'refunded' && { refunded: costOf(bought) }) })];
  return [...events, ...refundedBill(state, orderAfter(state.order, events), of)];
}

const costOf = (bought: LabelShipment['bought']) => ({ amount: bought!.cost, currency: bought!.currency });

const orderAfter = (order: LabelOrder, events: readonly NewEvent[]): LabelOrder =>
  events.reduce((now, { type, data }) => evolveLabelOrder(now, { type: type.type, data: data as never }), order);

/** The order costs nothing when all labels are voided, or when the carrier has accepted that, as the account says. */
function refundedBill({ bill }: LabelState, order: LabelOrder, of: BillOf): NewEvent[] {
  const isAccepted =
    order.is_whole_void &&
    order.refund_on === 'submitted' &&
    order.shipments.filter(hasLabel).every((one) => one.void?.step === 'done' && one.void.ended === undefined);
  const isOver = labelOrderState(order) === 'VOIDED' || isAccepted;
  const costs = isPositive(bill.total) || isPositive(excessAmount(bill));
  return isOver && costs ? cancelBill(bill, undefined, of) : [];
}
