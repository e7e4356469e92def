/** Converts between the positions of the port and the numbers of the sequence. */
import { START, type Position } from '../../events/core/log.js';

const DIGITS = 19;
const FORM = new RegExp(`^\\d{${DIGITS}}$`);

export const toPosition = (position: string | bigint): Position => String(position).padStart(DIGITS, '0');
export const fromPosition = (position: Position): string => (position === START ? '0' : String(BigInt(position)));
export const isPosition = (position: string): boolean => position === START || FORM.test(position);
