/** What the checker of the protocol says, in all languages. */
import { FINDINGS, type FindingCode } from '../../../events/otep/check/findings.js';
import { DOCUMENT_FINDINGS } from './findings/documents.js';
import { VALUE_FINDINGS } from './findings/values.js';
import { WARNINGS } from './findings/warnings.js';
import { messages, type CodesOf } from './messages.js';

const translations = { ...VALUE_FINDINGS, ...DOCUMENT_FINDINGS, ...WARNINGS } satisfies Record<FindingCode, unknown>;
type Translated = typeof translations;

const withEnglish = Object.fromEntries(
  Object.entries(translations).map(([code, row]) => [code, { ...row, en: FINDINGS[code as FindingCode].text }]),
) as unknown as { readonly [Code in keyof Translated]: Translated[Code] & { readonly en: string } };

export const FINDING_MESSAGES = messages(withEnglish);

declare module './messages.js' {
  interface MessageCodes extends CodesOf<typeof FINDING_MESSAGES> {}
}
