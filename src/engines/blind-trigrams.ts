/**
 * Finds words that resemble each other without storing them: a word is kept as the keyed hashes of its trigrams, so
 * that what is stored can be compared, and read by nobody without the key. What it reveals to anybody with the
 * database: which texts of one business share trigrams, and how often each occurs.
 */
import QuickLRU from 'quick-lru';
import type { BlindTrigrams } from '../events/core/blind-trigrams.js';
import type { BlindIndex } from './blind-index.js';

/** Of texts that are searched for and stored; longer ones are cut. */
const MOST_LETTERS = 400;

export function createBlindTrigrams(index: BlindIndex): BlindTrigrams {
  const known = new QuickLRU<string, number>({ maxSize: 100_000 });

  function numbersOf(scope: string, trigrams: readonly string[]): number[] {
    const numbers = trigrams.map((trigram) => {
      const name = `${scope}\n${trigram}`;
      let number = known.get(name);
      if (number === undefined) known.set(name, (number = index(name).readInt32BE()));
      return number;
    });
    return [...new Set(numbers)];
  }

  return {
    ofWords: (scope, text) =>
      numbersOf(
        scope,
        wordsOf(text)
          .flatMap((word) => trigramsOf(`  ${word} `))
          .sort(rarerFirst),
      ),
    ofParts: (scope, text) => numbersOf(scope, wordsOf(text).flatMap(trigramsOf)),
  };
}

/** Letters and digits, small, without accents. */
const wordsOf = (text: string): string[] =>
  text
    .slice(0, MOST_LETTERS)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

function trigramsOf(word: string): string[] {
  const letters = [...word];
  return letters.slice(2).map((letter, at) => letters[at]! + letters[at + 1]! + letter);
}

/** Many words begin or end alike. */
const rarerFirst = (a: string, b: string): number => Number(a.includes(' ')) - Number(b.includes(' '));
