/** Rules of cancellation: labels are voided before the carrier has their parcels. Refunds are in billing.ts. */
import type { Fact } from '../../events/core/codec.js';
import { openPayment } from '../../events/bill/state.js';
import { LABEL_VOID, type LabelVoidStatus } from '../../events/labels/effects.js';
import {
  labelStream,
  LabelOrderCancelled,
  LabelVoided,
  LabelVoidRejected,
  LabelVoidRequested,
} from '../../events/labels/events.js';
import type { LabelOrder, LabelShipment } from '../../events/labels/order.js';
import {
  hasLabel,
  isHandedOver,
  isPurchaseOpen,
  isVoiding,
  labelOrderState,
  shipmentOf,
} from '../../events/labels/state.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';
import { beginEffect } from '../effects/book.js';
import { mustHaveAttemptsLeft } from './attempts.js';
import type { CancelLabelOrder, LabelAddress, ReportVoid } from './command.js';
import type { Ruling } from './purchasing.js';
import type { LabelState } from './state.js';

/**
 * A repetition changes nothing. Throws PURCHASE_IN_PROGRESS, PAYMENT_IN_PROGRESS, LABEL_IN_USE, NOT_VOIDABLE,
 * TOO_MANY_ATTEMPTS and, for a single package, NO_LABEL.
 */
export function cancel(state: LabelState, command: CancelLabelOrder, { by }: LabelAddress): Ruling {
  const { order, bill } = state;
  const { packageId, reason } = command;
  const status = labelOrderState(order);
  if (status === 'VOID_REQUESTED' || status === 'VOIDED' || status === 'CANCELLED') return { events: [] };
  if (isPurchaseOpen(order)) throw new DomainError('PURCHASE_IN_PROGRESS');
  if (openPayment(bill)) throw new DomainError('PAYMENT_IN_PROGRESS');
  const bought = order.shipments.filter(hasLabel);
  if (packageId !== undefined) return cancelPackage(state, packageId, command, by);
  if (bought.length === 0) return { events: [newEvent(LabelOrderCancelled, { reason, cancelled_by: by })] };
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
  if (shipments.some((one) => isHandedOver(order, one)) || isInOpenManifest(order))
    throw new DomainError('LABEL_IN_USE');
  if (!canVoid) throw new DomainError('NOT_VOIDABLE');
  mustHaveAttemptsLeft(shipments, LABEL_VOID.kind, effects);
  const { order_id, business, adapter, account_id } = created!;
  const requested = newEvent(LabelVoidRequested, {
    shipments: shipments.map(({ about }) => about),
    is_whole: isWhole,
    refund_on: refundOn,
    reason,
    requested_by: by,
  });
  const begun = shipments.flatMap(({ about, void: last }): readonly Fact[] => {
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
      isTakenBack: last?.ended === 'rejected',
    }).facts;
  });
  return { events: [requested], begun };
}

/** A manifest that the carrier is deciding about. */
const isInOpenManifest = ({ manifest }: LabelOrder): boolean => manifest !== undefined && !manifest.is_confirmed;

/** The events that follow from the report of the carrier about an accepted void. */
export function reportVoid({ order }: LabelState, { shipment: about, status }: ReportVoid): Ruling {
  const shipment = order.shipments.find((one) => one.about === about);
  const isWaiting = shipment?.void?.step === 'done' && shipment.void.ended === undefined;
  return { events: isWaiting ? confirmed(shipment, status) : [] };
}

/** The events that follow when the carrier has accepted a void, in the same append. */
export function afterVoidStep({ order }: LabelState, about: string): NewEvent[] {
  const shipment = order.shipments.find((one) => one.about === about);
  const { step, status } = shipment?.void ?? {};
  return shipment && step === 'done' && status ? confirmed(shipment, status) : [];
}

function confirmed({ about, bought, void: attempt }: LabelShipment, status: LabelVoidStatus): NewEvent[] {
  const ended = { shipment: about, effect_id: attempt!.effect_id };
  if (status === 'submitted') return [];
  if (status === 'rejected') return [newEvent(LabelVoidRejected, ended)];
  const refunded = { amount: bought!.cost, currency: bought!.currency };
  return [newEvent(LabelVoided, { ...ended, ...(status === 'refunded' && { refunded }) })];
}
