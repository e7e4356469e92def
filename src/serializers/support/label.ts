/** Codes as English text, for formats that have a name next to the code. */
import { STATUS_CODES } from '../../events/otep/codes.js';
import { INCIDENT_REASONS } from '../../events/otep/reasons.js';

const spell = (code: string): string => code.replace(/^x-/, '').replaceAll(/[_-]/g, ' ');

const words = new Map<string, string>([...STATUS_CODES, ...INCIDENT_REASONS].map(({ code }) => [code, spell(code)]));

/** `recipient_absent` is "recipient absent"; experimental codes lose their `x-`. */
export const wordsOf = (code: string): string => words.get(code) ?? spell(code);

/** Like `wordsOf`, with a capital letter: `out_for_delivery` is "Out for delivery". */
export function labelOf(code: string): string {
  const text = wordsOf(code);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
