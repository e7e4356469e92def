/** The tracking numbers that this service gives out. */
import { derivedId } from '../otep/identity.js';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const OURS = new RegExp(`^OT[${ALPHABET}]{12}$`);

/** 60 bits that follow from the command, which is random: short enough to type, too many to try. */
export function newTrackingNumber(commandId: string, orderId: number, index: number): string {
  const hex = derivedId('tracking number', commandId, orderId, index).replaceAll('-', '');
  let bits = BigInt(`0x${hex.slice(0, 12)}${hex.slice(29)}`);
  let number = '';
  for (let digit = 0; digit < 12; digit++, bits >>= 5n) number = ALPHABET[Number(bits & 31n)] + number;
  return `OT${number}`;
}

/** Whether the service gives out numbers of this form: nobody else may open one. */
export const isOurNumber = (number: string): boolean => OURS.test(number);
