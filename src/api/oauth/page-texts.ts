/** Texts of the sign-in pages in the user's language, as HTML. */
import { fill, type Params } from '../../events/otep/check/findings.js';
import { TEXTS } from '../../messages/texts.js';
import { french, type Language } from '../core/messages/index.js';
import type { Scope } from '../core/scopes.js';
import type { ChoiceName } from './consent-choices.js';

export const escapeHtml = (text: unknown): string =>
  String(text ?? '').replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

export interface PageTexts {
  readonly language: Language;
  /** `html`: the parameters, which must already be HTML. */
  readonly text: (key: keyof typeof TEXTS.en.sign_in, html?: Params) => string;
  readonly profile: (name: ChoiceName) => string;
  readonly scope: (scope: Scope) => string;
}

export function pageTexts(language: Language): PageTexts {
  const { sign_in, profiles, scopes } = TEXTS[language];
  const html = (text: string): string => escapeHtml(language === 'fr' ? french(text) : text);
  return {
    language,
    text: (key, params) => fill(html(sign_in[key]), params),
    profile: (name) => html(profiles[name]),
    scope: (scope) => html(scopes[scope]),
  };
}
