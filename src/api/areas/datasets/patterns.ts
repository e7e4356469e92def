/**
 * Regular expressions of users. RE2 never tracks back: the time grows with the text and the program alone, and both are
 * bounded. It has no lookaround and no references back. re2js is RE2 in JavaScript; no binary comes with it.
 */
import { RE2JS } from 're2js';

/** Letters of an expression, and of a text that must match it. */
export const MOST_PATTERN = 200;
export const MOST_MATCHED = 200;
/** Instructions: `[A-Z]{2}\d{4}` has eight. */
const MOST_INSTRUCTIONS = 250;

/** Whether a whole text matches; undefined: it is no expression that may be used. */
export function matcherOf(pattern: string): ((text: string) => boolean) | undefined {
  try {
    const compiled = RE2JS.compile(pattern);
    return compiled.programSize() > MOST_INSTRUCTIONS ? undefined : (text) => compiled.matches(text);
  } catch {
    return undefined;
  }
}
