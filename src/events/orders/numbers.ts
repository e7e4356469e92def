/** The tracking numbers that this service gives out. */
import { BASE32, base32 } from '../core/base32.js';
import { derivedId } from '../otep/identity.js';

const OURS = new RegExp(`^OT[${BASE32}]{12}$`);

/** 60 bits that follow from the command, which is random: short enough to type, too many to try. */
export function newTrackingNumber(commandId: string, orderId: number, index: number): string {
  const hex = derivedId('tracking number', commandId, orderId, index).replaceAll('-', '');
  return `OT${base32(BigInt(`0x${hex.slice(0, 12)}${hex.slice(29)}`), 12)}`;
}

/** Whether the service gives out numbers of this form: nobody else may open one. */
export const isOurNumber = (number: string): boolean => OURS.test(number);
