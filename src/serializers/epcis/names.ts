/**
 * The five ways to write a word of the CBV: bare (`departing`), Web URI, compact (`cbv:BizStep-departing`), the URN of
 * EPCIS 1 (`urn:epcglobal:cbv:bizstep:departing`, which the JSON Schema refuses but the wild has), and a URI of
 * somebody's own.
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
  /** The prefix of the word in its Web URI, and in its URN where EPCIS 1 had one. */
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

/** The bare word of a standard term in any of its forms; a term of somebody else's is its full URI. */
export function bareWord(term: string, { forms, words }: Vocabulary, prefixes: Prefixes): string {
  if (words.has(term)) return term;
  const full = expand(term, prefixes);
  for (const form of forms) {
    if (form !== undefined && full.startsWith(form) && words.has(full.slice(form.length)))
      return full.slice(form.length);
  }
  return full;
}

/** The Web URI of a term in any of its forms. */
export function webUri(term: string, vocabulary: Vocabulary, prefixes: Prefixes): string {
  const word = bareWord(term, vocabulary, prefixes);
  return vocabulary.words.has(word) ? vocabulary.forms[0] + word : word;
}
