/**
 * The five spellings of a CBV term:
 * - bare word: `departing`
 * - Web URI
 * - compact name: `cbv:BizStep-departing`
 * - URN of EPCIS 1: `urn:epcglobal:cbv:bizstep:departing`, which the JSON Schema rejects but existing documents contain
 * - URI of a custom term
 */
import { expand, type Prefixes } from './context.js';
import {
  BIZ_STEPS,
  CBV,
  DISPOSITIONS,
  GS1,
  MEASUREMENTS,
  PARTY_TYPES,
  SENSOR_COMPONENTS,
  SENSOR_EXCEPTIONS,
  TRANSACTION_TYPES,
} from './vocabulary.js';

export interface Vocabulary {
  /** The prefix of the term's Web URI, and of its URN if EPCIS 1 had one. */
  readonly forms: readonly [uri: string, urn?: string];
  readonly words: ReadonlySet<string>;
}

const cbv = (uri: string, urn: string, words: ReadonlySet<string>): Vocabulary => ({
  forms: [`${CBV}${uri}-`, `urn:epcglobal:cbv:${urn}:`],
  words,
});

export const BIZ_STEP = cbv('BizStep', 'bizstep', BIZ_STEPS);
export const DISPOSITION = cbv('Disp', 'disp', DISPOSITIONS);
export const PARTY_TYPE = cbv('SDT', 'sdt', PARTY_TYPES);
export const TRANSACTION_TYPE = cbv('BTT', 'btt', TRANSACTION_TYPES);
export const COMPONENT: Vocabulary = { forms: [`${CBV}Comp-`], words: SENSOR_COMPONENTS };
export const MEASUREMENT: Vocabulary = { forms: [GS1], words: MEASUREMENTS };
export const SENSOR_EXCEPTION: Vocabulary = { forms: [GS1], words: SENSOR_EXCEPTIONS };

/** Returns the bare word of a standard term in any spelling; for a custom term its full URI. */
export function bareWord(term: string, { forms, words }: Vocabulary, prefixes: Prefixes): string {
  if (words.has(term)) return term;
  const full = expand(term, prefixes);
  for (const form of forms) {
    if (form !== undefined && full.startsWith(form) && words.has(full.slice(form.length)))
      return full.slice(form.length);
  }
  return full;
}

/** Returns the Web URI of a term in any spelling. */
export function webUri(term: string, vocabulary: Vocabulary, prefixes: Prefixes): string {
  const word = bareWord(term, vocabulary, prefixes);
  return vocabulary.words.has(word) ? vocabulary.forms[0] + word : word;
}
