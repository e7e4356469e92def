/**
 * Networks of carriers that hand parcels over to each other under one number (rule N8 of the protocol): the posts of the
 * Universal Postal Union, and the users of SSCCs. Pure.
 */
import { normalizeNumber } from './check/subject.js';
import { ssccIn } from './gs1.js';
import { gs1ParcelIn } from './gs1-parcel.js';
import type { Subject } from './model.js';

export const NETWORKS = ['upu', 'gs1'] as const;
export type Network = (typeof NETWORKS)[number];

/** A number that all carriers of a network use for the same parcel. */
export interface NetworkNumber {
  readonly network: Network;
  /** The identifier of the parcel: the tracking number (`upu`) or the SSCC (`gs1`). */
  readonly subject: Pick<Subject, 'tracking_number' | 'gs1_sscc'>;
}

/** The network whose carriers share the number, in any notation. Undefined: none, or the check digit is wrong. */
export function networkNumberIn(text: string): NetworkNumber | undefined {
  const number = normalizeNumber(text);
  if (number !== undefined && isS10(number)) return { network: 'upu', subject: { tracking_number: number } };
  const sscc = ssccIn(text) ?? gs1ParcelIn(text)?.gs1_sscc;
  return sscc === undefined ? undefined : { network: 'gs1', subject: { gs1_sscc: sscc } };
}

const S10 = /^[A-Z]{2}(\d{8})(\d)[A-Z]{2}$/;
const WEIGHTS = [8, 6, 4, 2, 3, 5, 9, 7];

/**
 * Whether the text is an identifier of a postal item (UPU standard S10) with a valid check digit: two letters for the
 * service, eight digits, the check digit, and two letters for the country.
 */
export function isS10(text: string): boolean {
  const [, serial, check] = S10.exec(text) ?? [];
  if (serial === undefined) return false;
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(serial[index]), 0);
  const digit = 11 - (sum % 11);
  return Number(check) === (digit === 10 ? 0 : digit === 11 ? 5 : digit);
}
