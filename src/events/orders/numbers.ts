/** Tracking numbers that this service issues. */
import { BASE32, base32 } from '../core/base32.js';
import { derivedId } from '../otep/identity.js';

const OURS = new RegExp(`^OT[${BASE32}]{12}$`);

/** 60 bits derived from the random command id: short enough to type, and too long to guess. */
export function newTrackingNumber(commandId: string, orderId: number, index: number): string {
  const hex = derivedId('tracking number', commandId, orderId, index).replaceAll('-', '');
  return `OT${base32(BigInt(`0x${hex.slice(0, 12)}${hex.slice(29)}`), 12)}`;
}

/** Whether the number has the form of this service's numbers; providers cannot open trackings with such a number. */
export const isOurNumber = (number: string): boolean => OURS.test(number);
