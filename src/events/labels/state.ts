/** The state of a label order and of its packages, calculated from the order. */
import { isEnded } from '../effects/progress.js';
import { statusCode } from '../otep/codes.js';
import { JOURNEY_ENDS } from './followed-scan.js';
import type { LabelOrder, LabelPackage, LabelShipment } from './order.js';
import type { LabelOrderState, LabelStatus } from './states.js';

/** The carrier may still be asked about the attempt, or staff must settle it. */
export const isOpenAttempt = (attempt: LabelShipment['purchase']): boolean =>
  attempt !== undefined && !isEnded(attempt);

export const isVoided = (shipment: LabelShipment): boolean => shipment.void?.ended === 'voided';

/** The void is not decided: the carrier was asked, or has accepted the request. */
export const isVoiding = ({ void: attempt }: LabelShipment): boolean =>
  attempt !== undefined && attempt.ended === undefined && attempt.step !== 'refused';

/** All labels that exist are being voided, and there is at least one. */
function isVoidingAll({ shipments }: LabelOrder): boolean {
  const labelled = shipments.filter(hasLabel);
  return labelled.length > 0 && labelled.every(isVoiding);
}

/** Bought, and not voided. */
export const hasLabel = (shipment: LabelShipment): boolean => shipment.bought !== undefined && !isVoided(shipment);

/** At least one label was bought, also if it was voided later. */
export const hasBought = ({ shipments }: LabelOrder): boolean => shipments.some(({ bought }) => bought !== undefined);

export const isPurchaseOpen = ({ shipments }: LabelOrder): boolean =>
  shipments.some(({ purchase }) => isOpenAttempt(purchase));

/** Shipments without a label, which a purchase buys. */
export const missingShipments = ({ shipments }: LabelOrder): readonly LabelShipment[] =>
  shipments.filter(({ bought }) => bought === undefined);

export const shipmentOf = ({ shipments }: LabelOrder, packageId: string): LabelShipment | undefined =>
  shipments.find(({ packages }) => packages.includes(packageId));

export function labelStatusOf(shipment: LabelShipment): LabelStatus {
  const { purchase, bought } = shipment;
  if (bought) return isVoided(shipment) ? 'voided' : isVoiding(shipment) ? 'void_requested' : 'purchased';
  if (purchase?.step === 'refused') return 'failed';
  return purchase?.step === 'left_open' ? 'open' : 'pending';
}

export function labelOrderState(order: LabelOrder): LabelOrderState {
  const { shipments } = order;
  if (order.is_cancelled) return 'CANCELLED';
  const bought = shipments.filter((shipment) => shipment.bought);
  const isComplete = bought.length === shipments.length;
  if (bought.length > 0 && bought.every(isVoided) && (isComplete || order.is_whole_void)) return 'VOIDED';
  if (order.is_whole_void && isVoidingAll(order)) return 'VOID_REQUESTED';
  if (!isComplete) return hasFailed(order) ? 'LABEL_PURCHASE_FAILED' : 'LABEL_PENDING';
  return transportState(order) ?? (order.is_submitted ? 'SUBMITTED' : 'LABEL_PURCHASED');
}

/** All attempts have ended, and at least one was refused; or the payment was refused. */
function hasFailed(order: LabelOrder): boolean {
  const { shipments, payment } = order;
  if (payment?.status === 'begun' || isPurchaseOpen(order)) return false;
  return payment?.status === 'failed' || shipments.some(({ purchase }) => purchase?.step === 'refused');
}

/** The state by the scans of the packages that have a label; undefined: none was in the hands of the carrier. */
function transportState(order: LabelOrder): LabelOrderState | undefined {
  const parcels = order.packages.filter(({ package_id }) => hasLabel(shipmentOf(order, package_id)!));
  const codes = parcels.flatMap(({ status }) => status?.code ?? []);
  const terminals = codes.map((code) => statusCode(code)?.terminal ?? 'none');
  if (parcels.length > 0 && parcels.length === codes.length && terminals.every((one) => JOURNEY_ENDS.has(one)))
    return terminals.includes('delivered') ? 'DELIVERED' : 'RETURNED';
  if (!parcels.some(({ was_in_hand }) => was_in_hand)) return undefined;
  const phases = codes.map((code) => statusCode(code)?.phase);
  if (phases.includes('exception')) return 'EXCEPTION';
  return phases.includes('out_for_delivery') ? 'OUT_FOR_DELIVERY' : 'IN_TRANSIT';
}

/** The carrier has, or had, a package of the shipment. */
export const isHandedOver = ({ packages }: LabelOrder, shipment: LabelShipment): boolean =>
  packages.some(
    ({ package_id, was_in_hand, status }) =>
      shipment.packages.includes(package_id) && (was_in_hand || isJourneyEnd(status?.code)),
  );

const isJourneyEnd = (code: string | undefined): boolean =>
  code !== undefined && JOURNEY_ENDS.has(statusCode(code)?.terminal ?? '');

/** A label was bought, and its file is missing. */
export const isLabelMissing = (order: LabelOrder, { package_id, label }: LabelPackage): boolean =>
  label === undefined && hasLabel(shipmentOf(order, package_id)!);
