/**
 * Regular expressions of users. RE2 does not backtrack: the time depends only on the lengths of text and program, and
 * both are limited. It has no lookaround and no backreferences. re2js is RE2 in JavaScript, without a native binary.
 */
import { RE2JS } from 're2js';

/** Maximum number of characters of an expression, and of a text that must match it. */
export const MAX_PATTERN_LENGTH = 200;
export const MAX_MATCHED_LENGTH = 200;
/** Maximum number of instructions of a compiled expression: `[A-Z]{2}\d{4}` has eight. */
const MAX_INSTRUCTIONS = 250;

/** A function that tests whether a whole text matches; undefined for an invalid or too large expression. */
export function matcherOf(pattern: string): ((text: string) => boolean) | undefined {
  try {
    const compiled = RE2JS.compile(pattern);
    return compiled.programSize() > MAX_INSTRUCTIONS ? undefined : (text) => compiled.matches(text);
  } catch {
    return undefined;
  }
}
