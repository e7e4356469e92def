/** The error for a tool that does not exist. It lists the nearest names. */
import { explainedError, type ApiError } from './errors.js';

/** Maximum number of names that count as near. */
const MAX_NEAREST = 3;

/** The names that are most similar to a wrong one: by common words, then by edit distance. The most similar is first. */
export function nearestNames(wrong: string, names: readonly string[]): string[] {
  const words = wordsOf(wrong);
  return names
    .map((name) => {
      const known = wordsOf(name);
      const common = known.filter((word) => words.some((one) => isSimilar(one, word))).length;
      return { name, common: common / Math.max(words.length, known.length, 1), distance: editDistance(wrong, name) };
    })
    .sort((a, b) => b.common - a.common || a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_NEAREST)
    .map(({ name }) => name);
}

/** `known`: the names that the caller can use. `says`: the message, with the parameters `tool`, `nearest` and `known`. */
export const unknownTool = (tool: string, known: readonly string[], says: string): ApiError =>
  explainedError('UNKNOWN_TOOL', says, 'tool', {
    params: { tool, nearest: nearestNames(tool, known).join(', '), known: known.join(', ') },
  });

/** Also splits camelCase, because a caller may use the name of an operation. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

/** Equal except for an ending, such as `orders` and `order`, or for one typing error in a longer word. */
const isSimilar = (one: string, other: string): boolean =>
  one === other ||
  (Math.min(one.length, other.length) >= 4 && (one.startsWith(other) || other.startsWith(one))) ||
  (Math.min(one.length, other.length) >= 5 && editDistance(one, other) <= 1);

/** Levenshtein distance: the number of characters to insert, delete or replace. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++)
      next.push(Math.min(row[to]! + 1, next[to - 1]! + 1, row[to - 1]! + (one[at - 1] === other[to - 1] ? 0 : 1)));
    row = next;
  }
  return row[other.length]!;
}
