/** What words are compared by where they must not be stored in the open: see `engines/blind-trigrams.ts`. */
export interface BlindTrigrams {
  /**
   * Of the words of a text, each with its beginning and end, as 32-bit numbers; without repeats, the rarer ones first.
   * `scope` keeps the texts of different businesses and uses apart: the same trigram gives another number in each.
   */
  ofWords(scope: string, text: string): number[];
  /** Of the inner parts of the words alone: all of them are in a text that holds the words anywhere. */
  ofParts(scope: string, text: string): number[];
}
