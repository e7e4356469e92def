/**
 * Maps OTEP statuses to CBV business steps and back (protocol, "Codes, phases, mappings"). The mapping loses
 * information, so every event that this service writes also contains the exact status. The reverse mapping is for
 * foreign events.
 */
import { IN_HAND } from '../../events/otep/codes.js';
import type { TimelineEvent } from '../../events/otep/model.js';
import { incidentReason } from '../../events/otep/reasons.js';
import { BIZ_STEPS } from './vocabulary.js';

export interface CbvTerms {
  readonly action: 'ADD' | 'OBSERVE' | 'DELETE';
  readonly bizStep: string;
  readonly disposition?: string;
  /**
   * Whether the parcel stays at the event's place until another event reports otherwise. If so, the place is its
   * bizLocation.
   */
  readonly stays: boolean;
}

const cbvTerms = (
  bizStep: string,
  disposition: string | undefined,
  place: 'stays' | 'leaves',
  action: CbvTerms['action'] = 'OBSERVE',
): CbvTerms => ({ action, bizStep, ...(disposition !== undefined && { disposition }), stays: place === 'stays' });

const COMMISSIONED = cbvTerms('commissioning', 'active', 'stays', 'ADD');
const VOIDED = cbvTerms('void_shipping', 'in_progress', 'stays');
const DECOMMISSIONED = cbvTerms('decommissioning', 'inactive', 'leaves', 'DELETE');

const TERMS_BY_STATUS: ReadonlyMap<string, CbvTerms> = new Map([
  ['information_submitted', { ...COMMISSIONED, action: 'OBSERVE' }],
  ['booking_confirmed', cbvTerms('other', 'active', 'leaves')],
  ['awaiting_pickup', cbvTerms('staging_outbound', 'in_progress', 'stays')],
  ['out_for_pickup', cbvTerms('other', 'in_progress', 'leaves')],
  ['picked_up', cbvTerms('accepting', 'in_transit', 'leaves')],
  ['pickup_failed', cbvTerms('other', 'in_progress', 'stays')],
  ['pickup_rescheduled', cbvTerms('staging_outbound', 'in_progress', 'stays')],
  ['received', cbvTerms('receiving', 'in_progress', 'stays')],
  ['arrival_scan', cbvTerms('arriving', 'in_progress', 'stays')],
  ['in_transit', cbvTerms('transporting', 'in_transit', 'leaves')],
  ['package_outbound', cbvTerms('departing', 'in_transit', 'leaves')],
  ['removed_from_route', cbvTerms('holding', 'in_progress', 'stays')],
  ['route_cancelled', cbvTerms('holding', 'in_progress', 'stays')],
  ['out_for_delivery', cbvTerms('transporting', 'in_transit', 'leaves')],
  ['delivered', cbvTerms('receiving', undefined, 'stays')],
  ['delivery_failed', cbvTerms('other', 'in_transit', 'leaves')],
  ['delivery_rescheduled', cbvTerms('holding', 'in_progress', 'stays')],
  ['return_to_sender', cbvTerms('receiving', 'returned', 'stays')],
  ['rejected_by_recipient', cbvTerms('other', 'returned', 'leaves')],
  ['cancelled', cbvTerms('other', 'in_progress', 'leaves')],
]);

/** All possible CBV terms for a registered status, independent of earlier events. */
export const TERM_VARIANTS: ReadonlyMap<string, readonly CbvTerms[]> = new Map(
  [...TERMS_BY_STATUS].map(([status, terms]) => {
    if (status === 'information_submitted') return [status, [terms, COMMISSIONED]];
    return [status, status === 'cancelled' ? [terms, VOIDED, DECOMMISSIONED] : [terms]];
  }),
);

/** The earlier part of a journey, as far as the CBV terms for an event depend on it. */
export interface Past {
  commissioned: boolean;
  /** The carrier has received the parcel, so a cancellation affects more than the label. */
  inHand: boolean;
  departed: boolean;
}

export const initialPast = (): Past => ({ commissioned: false, inHand: false, departed: false });

/** Updates `past` with one event. */
export function applyEvent(past: Past, status: string): void {
  past.commissioned ||= status === 'information_submitted';
  past.inHand ||= IN_HAND.has(status);
  past.departed ||= status === 'package_outbound';
}

/** Returns the CBV terms for an event. If CBV has a disposition for the incident reason, that one is used. */
export function termsFor(event: TimelineEvent, past: Past): CbvTerms {
  const words = termsOf(event.status_code, past);
  const disposition = event.incident_reason && incidentReason(event.incident_reason.code)?.disposition;
  return disposition ? { ...words, disposition } : words;
}

function termsOf(status: string, past: Past): CbvTerms {
  if (status === 'information_submitted' && !past.commissioned) return COMMISSIONED;
  if (status === 'cancelled' && !past.inHand) return DECOMMISSIONED;
  if (status === 'cancelled' && past.departed) return VOIDED;
  return TERMS_BY_STATUS.get(status) ?? foreignStep(status);
}

/** Prefix of the status code of a step that has no registered status. */
export const FOREIGN = 'x-epcis-';

/** A status that came from an EPCIS step without a registered status is written as that step again. */
function foreignStep(status: string): CbvTerms {
  const step = status.startsWith(FOREIGN) ? status.slice(FOREIGN.length) : 'other';
  return cbvTerms(BIZ_STEPS.has(step) ? step : 'other', undefined, 'leaves');
}

const STATUS_OF: ReadonlyMap<string, string> = new Map([
  ['commissioning', 'information_submitted'],
  ['accepting', 'picked_up'],
  ['receiving', 'received'],
  ['arriving', 'arrival_scan'],
  ['transporting', 'in_transit'],
  ['departing', 'package_outbound'],
  ['shipping', 'package_outbound'],
]);

/** Circumstances that decide between two statuses of one step. */
export interface Circumstances {
  /** The carrier already had the parcel. */
  readonly inHand: boolean;
  /** The event happened at the destination of the parcel. */
  readonly atConsignee: boolean;
}

/**
 * Returns the status of a foreign event. `step` is the bare CBV word, a URI for a step that is not a CBV word, or
 * undefined. An ambiguous step becomes the experimental code `x-epcis-<step>`: information that does not change the
 * status.
 */
export function statusOf(step: string | undefined, { inHand, atConsignee }: Circumstances): string {
  if (step === 'receiving' && atConsignee) return 'delivered';
  if (step === 'accepting' && inHand) return 'in_transit';
  return (step !== undefined && STATUS_OF.get(step)) || FOREIGN + slug(step ?? 'unspecified');
}

/** Returns whether a status shows that the carrier has, or has had, the parcel. */
export const showsCustody = (status: string): boolean => IN_HAND.has(status);

/** Returns the last part of a step's name, in the characters that a status code allows. */
function slug(step: string): string {
  const name = step.slice(Math.max(step.lastIndexOf('/'), step.lastIndexOf('#'), step.lastIndexOf(':')) + 1);
  const words = name.toLowerCase().match(/[a-z0-9]+/g);
  return words === null
    ? 'unspecified'
    : words
        .join('_')
        .slice(0, 64 - FOREIGN.length)
        .replace(/_$/, '');
}
