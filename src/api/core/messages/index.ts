/** Messages in the reader's language (specification 1, section "Language"). */
import Negotiator from 'negotiator';
import { fill, type Params } from '../../../events/otep/check/findings.js';
import { de } from './de.js';
import { en, type MessageCode, type Messages } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { zhHans } from './zh-Hans.js';
import { zhHant } from './zh-Hant.js';

const CATALOGUES = { en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant } as const satisfies Record<string, Messages>;

export type Language = keyof typeof CATALOGUES;
export const LANGUAGES = Object.keys(CATALOGUES) as readonly Language[];

/**
 * The first language of an `Accept-Language` header (RFC 9110, by q-value) that there is a catalogue for; English
 * without one.
 */
export function chooseLanguage(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined) return 'en';
  const asked = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages();
  return asked.map(languageOf).find((language) => language !== undefined) ?? 'en';
}

/**
 * Chinese goes by its script, which the region tells where the tag does not: `zh-TW` is Hant, `zh-SG` and `zh` are
 * Hans.
 */
function languageOf(tag: string): Language | undefined {
  if (!TAG.test(tag)) return undefined;
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    const name = language === 'zh' ? `zh-${script}` : language;
    return LANGUAGES.find((known) => known === name);
  } catch {
    return undefined;
  }
}

const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i;

/** The text of `code` in `language`, with its parameters filled in. */
export const translate = (code: MessageCode, params: Params | undefined, language: Language): string =>
  fill(CATALOGUES[language][code], params);
