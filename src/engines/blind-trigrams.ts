/**
 * Finds similar words without storing them: a word is stored as keyed hashes of its trigrams. Hashes can be compared,
 * but cannot be read without the key. A reader of the database learns which texts of one business share trigrams, and
 * how often each trigram occurs.
 */
import QuickLRU from 'quick-lru';
import type { BlindTrigrams } from '../events/core/blind-trigrams.js';
import type { BlindIndex } from './blind-index.js';

/** Maximum length of texts that are stored or searched for; longer texts are cut. */
const MAX_CHARACTERS = 400;

export function createBlindTrigrams(index: BlindIndex): BlindTrigrams {
  const known = new QuickLRU<string, number>({ maxSize: 100_000 });

  function numbersOf(scope: string, trigrams: Iterable<string>, limit?: number): number[] {
    const numbers = [...new Set(trigrams)].slice(0, limit).map((trigram) => {
      const name = `${scope}\n${trigram}`;
      let number = known.get(name);
      if (number === undefined) known.set(name, (number = index(name).readInt32BE()));
      return number;
    });
    return [...new Set(numbers)];
  }

  return {
    ofWords: (scope, text, limit) => numbersOf(scope, trigramsOfWords(text).sort(rarerFirst), limit),
    countOfWords: (text) => new Set(trigramsOfWords(text)).size,
    ofParts: (scope, text) => numbersOf(scope, wordsOf(text).flatMap(trigramsOf)),
  };
}

/** Splits into words of letters and digits, in lower case and without accents. */
const wordsOf = (text: string): string[] =>
  text
    .slice(0, MAX_CHARACTERS)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

function trigramsOf(word: string): string[] {
  const letters = [...word];
  return letters.slice(2).map((letter, at) => letters[at]! + letters[at + 1]! + letter);
}

/** With the beginnings and ends of the words. */
const trigramsOfWords = (text: string): string[] => wordsOf(text).flatMap((word) => trigramsOf(`  ${word} `));

/** Sorts trigrams from within a word first: many words begin or end alike. */
const rarerFirst = (a: string, b: string): number => Number(a.includes(' ')) - Number(b.includes(' '));
