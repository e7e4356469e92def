/**
 * The current status of a parcel: which events change it (rule 2 of the protocol). Pure. The events of a life are passed
 * in the order of rule 1.
 */
import { IN_HAND, statusCode, type Phase, type TerminalStatus } from './codes.js';

/** The members of an event that determine its effect on the status. */
export interface Effect {
  readonly status_code: string;
  /** Phase by `phaseOf`; undefined for an informational event. */
  readonly phase?: Phase | undefined;
}

/**
 * Whether the event shows that the parcel has left the state before shipment. An exception shows it only if it happens
 * to a carrier that has the parcel: a failed pick-up leaves the parcel with its sender.
 */
export const isUnderWay = ({ status_code, phase }: Effect): boolean =>
  phase !== undefined && phase !== 'pre_shipment' && (phase !== 'exception' || IN_HAND.has(status_code));

/** Whether the event shows that the parcel has passed its pick-up. */
export const isPastPickup = (event: Effect): boolean => isUnderWay(event) && event.phase !== 'pickup';

export const terminalStatusOf = ({ status_code }: Pick<Effect, 'status_code'>): TerminalStatus | null =>
  statusCode(status_code)?.terminal ?? null;

/** Determines, event by event, which events change the status. */
export class StatusRule<E extends Effect> {
  /** The event that determines the current status; undefined before the first one. */
  holder: E | undefined;
  #isUnderWay = false;

  /** Whether the journey has ended: the first terminal event counts. */
  get hasEnded(): boolean {
    return this.holder !== undefined && terminalStatusOf(this.holder) !== null;
  }

  /**
   * Applies the next event, and returns whether it changes the status. Three kinds of events do not: events after the
   * end, informational events, and events before shipment that occur after a scan of a later phase. The last kind is a
   * late record of a label, which is no progress.
   */
  apply(event: E): boolean {
    if (this.hasEnded || event.phase === undefined) return false;
    if (this.#isUnderWay && event.phase === 'pre_shipment') return false;
    this.#isUnderWay ||= isUnderWay(event);
    this.holder = event;
    return true;
  }
}
