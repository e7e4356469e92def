/**
 * Number ranges of a carrier account, and the numbers that were drawn from them. Stream `numbers-<account>-<scheme>`.
 * The stream has one event per label, so it may have millions of events.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';

export const NUMBERS_PREFIX = 'numbers-';
export const NUMBER_SCHEMES = ['sscc'] as const;
export type NumberScheme = (typeof NUMBER_SCHEMES)[number];
export const numbersStream = (accountId: number, scheme: NumberScheme): string =>
  `${NUMBERS_PREFIX}${accountId}-${scheme}`;

const range = {
  /** `sscc`: the extension digit and the GS1 company prefix. */
  prefix: z.string(),
  /** Serial numbers, both included. */
  from: z.int(),
  to: z.int(),
};
export type SerialRange = z.infer<z.ZodObject<typeof range>>;

/** Numbers are drawn from this range from now on. A range with the same prefix and start extends or shortens it. */
export const NumberRangeSet = eventType(
  'NumberRangeSet',
  z.object({ business: z.int(), carrier_account_id: z.int(), scheme: z.enum(NUMBER_SCHEMES), ...range }),
);
export const NumberDrawn = eventType(
  'NumberDrawn',
  z.object({
    prefix: z.string(),
    serial: z.int(),
    /** Key of the label. The same key always gets the same number. */
    for: z.string(),
  }),
);
export const NUMBER_EVENTS = [NumberRangeSet, NumberDrawn] as const;

/** `next`: the serial number that is drawn next; above `to`: the range is used up. */
export interface UsedRange extends SerialRange {
  readonly next: number;
}

const isSameStart = (a: SerialRange, b: SerialRange): boolean => a.prefix === b.prefix && a.from === b.from;

/**
 * The ranges after another one is set; the last range is in force. Of the previous range, only the drawn numbers
 * remain.
 */
export function withRange(ranges: readonly UsedRange[], { prefix, from, to }: SerialRange): readonly UsedRange[] {
  const set = { prefix, from, to };
  const before = ranges.find((one) => isSameStart(one, set));
  const drawn = ranges.flatMap((one) =>
    isSameStart(one, set) || one.next === one.from ? [] : [{ ...one, to: one.next - 1 }],
  );
  return [...drawn, { ...set, next: before?.next ?? from }];
}

/** The ranges after a number was drawn from the range in force. */
export const withDrawn = (
  ranges: readonly UsedRange[],
  { serial }: { readonly serial: number },
): readonly UsedRange[] =>
  ranges.map((one, index) => (index === ranges.length - 1 ? { ...one, next: serial + 1 } : one));

/** Digits of an SSCC without its check digit. */
const SSCC_DIGITS = 17;
/** Digits of the serial numbers under a prefix. */
export const serialDigits = ({ prefix }: Pick<SerialRange, 'prefix'>): number => SSCC_DIGITS - prefix.length;

const bodyOf = (prefix: string, serial: number): string =>
  prefix + String(serial).padStart(serialDigits({ prefix }), '0');

/** The complete number with its check digit. */
export function numberOf({ prefix, serial }: { readonly prefix: string; readonly serial: number }): string {
  const body = bodyOf(prefix, serial);
  return body + checkDigit(body);
}

/** GS1 check digit, modulo 10: the digits are weighted 3 and 1 in alternation, from the right. */
export function checkDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}

/** The first and the last number of a range, without check digit. Numbers of all ranges have the same length. */
export const boundsOf = ({ prefix, from, to }: SerialRange) => ({
  first: bodyOf(prefix, from),
  last: bodyOf(prefix, to),
});

/** Whether two ranges have a number in common. Prefixes of different lengths may contain each other. */
export function overlap(a: SerialRange, b: SerialRange): boolean {
  const [one, other] = [boundsOf(a), boundsOf(b)];
  return one.first <= other.last && other.first <= one.last;
}

/** The drawn parts of an account's ranges that its next range must not contain. */
export const takenRanges = (ranges: readonly UsedRange[], next: SerialRange): readonly SerialRange[] =>
  ranges
    .filter((one) => !isSameStart(one, next) && one.next > one.from)
    .map(({ prefix, from, next: undrawn }) => ({ prefix, from, to: undrawn - 1 }));
