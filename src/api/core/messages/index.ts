/** Messages in the user's language (specification 1, section "Language"). */
import Negotiator from 'negotiator';
import './statuses.js';
import { LANGUAGES, type Language } from './messages.js';

export * from './messages.js';

/** Limits the work: each tag costs time, and a header of 16 KB can contain thousands. */
const MAX_TAGS = 20;

/**
 * The first language of an `Accept-Language` header (RFC 9110, by q-value) that has a catalogue; English without the
 * header or a match.
 */
export function chooseLanguage(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined) return 'en';
  const requestedTags = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages();
  for (const tag of requestedTags.slice(0, MAX_TAGS)) {
    const language = languageOf(tag);
    if (language !== undefined) return language;
  }
  return 'en';
}

/**
 * Chinese is chosen by its script. A tag without a script gets the script of its region: `zh-TW` is Hant, `zh-SG` and
 * `zh` are Hans.
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
