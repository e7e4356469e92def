/**
 * The five ways to write a word of the CBV: bare (`departing`), Web URI, compact (`cbv:BizStep-departing`), the URN of
 * EPCIS 1 (`urn:epcglobal:cbv:bizstep:departing`, which the JSON Schema refuses but the wild has), and a URI of somebody's own.
 */
import { expand, type Prefixes } from './context.js';
import { BIZ_STEPS, CBV, DISPOSITIONS, ERROR_REASONS, PARTY_TYPES, SENSOR_COMPONENTS, TRANSACTION_TYPES } from './vocabulary.js';

export interface Vocabulary {
  readonly uri: string;
  readonly urn: string;
  readonly words: ReadonlySet<string>;
}

const vocabulary = (uri: string, urn: string, words: ReadonlySet<string>): Vocabulary => ({ uri: `${CBV}${uri}-`, urn: `urn:epcglobal:cbv:${urn}:`, words });

export const BIZ_STEP = vocabulary('BizStep', 'bizstep', BIZ_STEPS);
export const DISPOSITION = vocabulary('Disp', 'disp', DISPOSITIONS);
export const ERROR_REASON = vocabulary('ER', 'er', ERROR_REASONS);
export const PARTY_TYPE = vocabulary('SDT', 'sdt', PARTY_TYPES);
export const TRANSACTION_TYPE = vocabulary('BTT', 'btt', TRANSACTION_TYPES);
export const COMPONENT = vocabulary('Comp', 'comp', SENSOR_COMPONENTS);

/** The bare word of a CBV term in any of its forms; a term of somebody else's is its full URI. */
export function bareWord(term: string, { uri, urn, words }: Vocabulary, prefixes: Prefixes): string {
  if (words.has(term)) return term;
  const full = expand(term, prefixes);
  const word = full.startsWith(uri) ? full.slice(uri.length) : full.startsWith(urn) ? full.slice(urn.length) : full;
  return words.has(word) ? word : full;
}

/** The Web URI of a term in any of its forms. */
export function webUri(term: string, vocabulary: Vocabulary, prefixes: Prefixes): string {
  const word = bareWord(term, vocabulary, prefixes);
  return vocabulary.words.has(word) ? vocabulary.uri + word : word;
}
