/** Reads a whole number from an option. */
import { UsageError } from '../command.js';

/** Throws a UsageError that names the option. */
export function readCount(option: string, text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count)) throw new UsageError(`${option} requires a whole number.`);
  return count;
}
