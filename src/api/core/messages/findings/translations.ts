import type { FindingCode } from '../../../../events/otep/check/findings.js';
import type { Texts } from '../messages.js';

/** Texts of findings in all languages but English, which is next to the rules (events/otep/check/findings.ts). */
export type Translations = { readonly [Code in FindingCode]?: Omit<Texts, 'en'> & { readonly status?: number } };
