/**
 * A label order after its events. The decider and the read model share it, so it contains only JSON values, and an event
 * never changes the given order.
 */
import { PaymentBegun, PaymentFailed, PaymentReceived } from '../bill/events.js';
import type { EventType } from '../core/event-types.js';
import type { JsonObject } from '../core/log.js';
import { effectIdOf, stepOf, type EffectStep } from '../effects/progress.js';
import type { BegunData, RefusedData } from '../effects/steps.js';
import { IN_HAND } from '../otep/codes.js';
import { decisiveScan, type FollowedScan } from './followed-scan.js';
import {
  LABEL_EFFECTS,
  LABEL_PURCHASE,
  type LabelPurchaseResult,
  type LabelVoidStatus,
  type StoredLabelFile,
} from './effects.js';
import { isVoiding } from './state.js';
import {
  LabelFileStored,
  LabelInformationSubmitted,
  LabelOrderCancelled,
  LabelOrderCreated,
  LabelStatusFollowed,
  LabelVoided,
  LabelVoidRejected,
  LabelVoidRequested,
  ManifestConfirmed,
  ManifestJoined,
  ManifestLeft,
  NOT_LISTED,
  type NewLabelOrder,
} from './events.js';

type DataOf<T> = T extends EventType<infer Data> ? Data : never;

/** The last attempt of a call to the carrier. */
export interface LabelAttempt {
  readonly effect_id: string;
  readonly step: EffectStep;
  /** Why the carrier refused it. */
  readonly code?: string;
  readonly final?: boolean;
}

/** One shipment at the carrier. */
export interface LabelShipment {
  /** The subject of its effects. */
  readonly about: string;
  readonly packages: readonly string[];
  readonly purchase?: LabelAttempt;
  readonly bought?: Omit<LabelPurchaseResult, 'packages'>;
  /** `status`: as the carrier has reported it. `ended`: the void was confirmed, or rejected after its acceptance. */
  readonly void?: LabelAttempt & { readonly status?: LabelVoidStatus; readonly ended?: 'voided' | 'rejected' };
}

export interface LabelPackage {
  readonly package_id: string;
  readonly tracking_number?: string;
  readonly label?: StoredLabelFile;
  readonly billed_weight_kg?: number;
  /** The scan that determines the status. */
  readonly status?: FollowedScan;
  readonly was_in_hand?: true;
}

export interface LabelOrder {
  readonly shipments: readonly LabelShipment[];
  readonly packages: readonly LabelPackage[];
  /** The order waits for this payment before its labels are bought. */
  readonly payment?: { readonly id: string; readonly status: 'begun' | 'received' | 'failed'; readonly code?: string };
  /** All labels are being voided. */
  readonly is_whole_void?: true;
  readonly refund_on?: 'refunded' | 'submitted';
  readonly is_cancelled?: true;
  /** The last manifest that the order joined and did not leave. */
  readonly manifest?: { readonly id: number; readonly is_confirmed: boolean };
  /** The last manifest in which the carrier refused the order, unless it has joined another one. */
  readonly manifest_refusal?: { readonly manifest_id: number; readonly code: string };
  readonly is_submitted?: true;
}

export const NO_LABEL_ORDER: LabelOrder = { shipments: [], packages: [] };

export interface LabelEvent {
  readonly type: string;
  readonly data: JsonObject;
}

type Change<Data> = (order: LabelOrder, data: Data) => LabelOrder;
const changes = new Map<string, Change<never>>();
const on = <Data>({ type }: EventType<Data>, change: Change<Data>): void => void changes.set(type, change);

/** The order after an event. Other events do not change it. */
export function evolveLabelOrder(order: LabelOrder, event: LabelEvent): LabelOrder {
  const found = stepOf(LABEL_EFFECTS, event.type);
  if (found)
    return found.steps === LABEL_PURCHASE ? purchaseStep(order, found.step, event) : voidStep(order, found.step, event);
  return changes.get(event.type)?.(order, event.data as never) ?? order;
}

const withShipment = (
  order: LabelOrder,
  isMeant: (shipment: LabelShipment) => boolean,
  change: (shipment: LabelShipment) => LabelShipment,
): LabelOrder => ({
  ...order,
  shipments: order.shipments.map((shipment) => (isMeant(shipment) ? change(shipment) : shipment)),
});

const withPackage = (order: LabelOrder, id: string, change: (parcel: LabelPackage) => LabelPackage): LabelOrder => ({
  ...order,
  packages: order.packages.map((parcel) => (parcel.package_id === id ? change(parcel) : parcel)),
});

/** The attempt after a step. */
function attemptAfter(step: EffectStep, { data }: LabelEvent): LabelAttempt {
  const effect_id = effectIdOf(data);
  if (step !== 'refused') return { effect_id, step };
  const { code, final } = data as unknown as RefusedData;
  return { effect_id, step, code, final };
}

function purchaseStep(order: LabelOrder, step: EffectStep, event: LabelEvent): LabelOrder {
  const purchase = attemptAfter(step, event);
  if (step === 'begun') {
    const { about } = event.data as unknown as BegunData;
    return withShipment(
      order,
      (one) => one.about === about,
      (one) => ({ ...one, purchase }),
    );
  }
  const isMeant = (one: LabelShipment): boolean => one.purchase?.effect_id === purchase.effect_id;
  if (step !== 'done') return withShipment(order, isMeant, (one) => ({ ...one, purchase }));
  const { packages, ...bought } = event.data['result'] as unknown as LabelPurchaseResult;
  const after = withShipment(order, isMeant, (one) => ({ ...one, purchase, bought }));
  return packages.reduce(
    (now, { package_id, ...parcel }) => withPackage(now, package_id, (before) => ({ ...before, ...parcel })),
    after,
  );
}

function voidStep(order: LabelOrder, step: EffectStep, event: LabelEvent): LabelOrder {
  const attempt = attemptAfter(step, event);
  if (step === 'begun') {
    const { about } = event.data as unknown as BegunData;
    return withShipment(
      order,
      (one) => one.about === about,
      (one) => ({ ...one, void: attempt }),
    );
  }
  const status = (event.data['result'] as { readonly status?: LabelVoidStatus } | undefined)?.status;
  return withShipment(
    order,
    (one) => one.void?.effect_id === attempt.effect_id,
    (one) => ({ ...one, void: { ...attempt, ...(status && { status }) } }),
  );
}

/** The state before the first event of the stream: also the read model begins with it. */
export const orderOf = ({ shipments, packages }: Pick<NewLabelOrder, 'shipments' | 'packages'>): LabelOrder => ({
  shipments: shipments.map(({ about, packages: ids }) => ({ about, packages: ids })),
  packages: packages.map(({ package_id }) => ({ package_id })),
});

on(LabelOrderCreated, (_order, created) => orderOf(created));
on(PaymentBegun, (order, { payment_id: id, required }) =>
  required ? { ...order, payment: { id, status: 'begun' } } : order,
);
on(PaymentReceived, (order, { payment_id: id }) =>
  order.payment?.id === id ? { ...order, payment: { id, status: 'received' } } : order,
);
on(PaymentFailed, (order, { payment_id: id, code }) =>
  order.payment?.id === id ? { ...order, payment: { id, status: 'failed', code } } : order,
);
on(LabelFileStored, (order, { package_id, label }) => withPackage(order, package_id, (one) => ({ ...one, label })));
on(LabelVoidRequested, ({ is_whole_void: before, ...order }, { is_whole, refund_on }) => ({
  ...order,
  // An earlier void of the whole order ends when no void of it is in progress.
  ...((is_whole || (before && order.shipments.some(isVoiding))) && { is_whole_void: true as const }),
  refund_on,
}));
const ended =
  (how: 'voided' | 'rejected') =>
  (order: LabelOrder, { effect_id }: DataOf<typeof LabelVoided>): LabelOrder =>
    withShipment(
      order,
      (one) => one.void?.effect_id === effect_id,
      (one) => ({ ...one, void: { ...one.void!, ended: how } }),
    );
on(LabelVoided, ended('voided'));
on(LabelVoidRejected, ended('rejected'));
on(ManifestJoined, ({ manifest_refusal: _refusal, ...order }, { manifest_id: id }) => ({
  ...order,
  manifest: { id, is_confirmed: false },
}));
on(ManifestLeft, (order, { manifest_id, why: code }) => {
  const { manifest, ...rest } = order;
  if (manifest?.id !== manifest_id) return order;
  return code === NOT_LISTED ? rest : { ...rest, manifest_refusal: { manifest_id, code } };
});
on(ManifestConfirmed, (order, { manifest_id: id }) => ({
  ...order,
  manifest: { id, is_confirmed: true },
  is_submitted: true,
}));
on(LabelInformationSubmitted, (order) => ({ ...order, is_submitted: true }));
on(LabelStatusFollowed, (order, { package_id, status_code: code, instant }) =>
  withPackage(order, package_id, (parcel) => ({
    ...parcel,
    status: decisiveScan(parcel.status, { code, instant }),
    ...(IN_HAND.has(code) && { was_in_hand: true as const }),
  })),
);
on(LabelOrderCancelled, (order) => ({ ...order, is_cancelled: true }));
