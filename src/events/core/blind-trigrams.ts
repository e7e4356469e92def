/** Compares words that must not be stored as plaintext: see `engines/blind-trigrams.ts`. */
export interface BlindTrigrams {
  /**
   * Trigram hashes of the words of a text, with word beginnings and ends, as 32-bit numbers without duplicates, rarer
   * ones first. `scope` separates the texts of different businesses and uses: the same trigram has another number in
   * each scope. `limit`: maximum number of hashes; the others are not computed.
   */
  ofWords(scope: string, text: string, limit?: number): number[];
  /** Number of different trigrams that `ofWords` finds without a limit. Computes no hashes. */
  countOfWords(text: string): number;
  /** Trigram hashes of the inner parts of the words. A text that contains the words anywhere has all of them. */
  ofParts(scope: string, text: string): number[];
}
