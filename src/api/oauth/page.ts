/** The sign-in pages: plain HTML without scripts. Text from other parties is always escaped. */
import { DANGEROUS } from '../core/scopes.js';
import type { ConsentChoice } from './consent-choices.js';
import { escapeHtml, type PageTexts } from './page-texts.js';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 26rem; margin: 0 auto; padding: 2rem 1rem }
h1 { font-size: 1.4rem } label { display: block; margin: .8rem 0 .2rem }
input:not([type=checkbox]) { box-sizing: border-box; width: 100%; padding: .5rem; font: inherit }
ul { list-style: none; padding: 0 } li label { margin: .3rem 0 } code { overflow-wrap: anywhere }
nav li { margin: .4rem 0; padding-left: .6rem; border-left: .25rem solid transparent } nav li:has([aria-current]) { border-color: #0b57d0 }
.primary { background: #0b57d0; color: #fff; border: 1px solid #0b57d0; border-radius: .2rem }
button { margin: 1rem .5rem 0 0; padding: .5rem 1.2rem; font: inherit } .error { border-left: .25rem solid #c00; padding-left: .6rem } .hint { opacity: .75; font-size: .9rem }`;

/**
 * The pages load nothing and cannot be framed. `formTargets`: origins or schemes to which a submitted form may
 * redirect, in addition to this origin.
 */
export const pagePolicy = (formTargets: readonly string[] = []): string =>
  `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action ${["'self'", ...formTargets].join(' ')}`;
export const PAGE_POLICY = pagePolicy();

/** `title` and `body` are HTML. */
const page = ({ language }: PageTexts, title: string, body: string): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

/** Shown on pages that ask for a password: the user compares the host with the browser's address bar. */
const service = ({ text }: PageTexts, host: string): string =>
  `<p>${text('service', { host: `<code>${escapeHtml(host)}</code>` })}</p>`;

export interface ClientShown {
  /** The name that the client gives itself: not trustworthy. */
  readonly name: string;
  /** The host from which the client's metadata was fetched: verified. */
  readonly verifiedHost?: string;
  /** The host to which the browser is redirected. */
  readonly redirectHost: string;
}

/** Direction marks and other invisible characters: a name could imitate a host with them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of an unknown party, isolated so that it cannot affect the surrounding text. */
const strange = (text: string): string => `<bdi>${escapeHtml(text.replace(INVISIBLE, ''))}</bdi>`;

const about = ({ text }: PageTexts, { name, verifiedHost, redirectHost }: ClientShown): string =>
  `${verifiedHost === undefined ? '' : `<p>${text('verified', { host: `<code>${strange(verifiedHost)}</code>` })}</p>`}
<p>${text('wants_to_connect', { name: `<strong>${strange(name)}</strong>` })}</p>
<p>${text('redirected_to', { host: `<code>${strange(redirectHost)}</code>` })}</p>`;

const abort = ({ text }: PageTexts, action: string): string =>
  `<form method="post" action="${escapeHtml(action)}/abort"><button>${text('cancel')}</button></form>`;

/** The parts of a page of an authorization request. */
export interface PageContext {
  readonly texts: PageTexts;
  /** Path of the authorization request's pages. */
  readonly action: string;
  /** The host of this service. */
  readonly host: string;
  readonly client: ClientShown;
}

export function loginPage({ texts, action, host, client }: PageContext, error?: string): string {
  const { text } = texts;
  return page(
    texts,
    text('sign_in_title'),
    `${service(texts, host)}${about(texts, client)}${error === undefined ? '' : `<p class="error" role="alert">${escapeHtml(error)}</p>`}
<form method="post" action="${escapeHtml(action)}/login">
<label for="email">${text('email')}</label><input id="email" name="email" type="email" autocomplete="username" required autofocus maxlength="254">
<label for="password">${text('password')}</label><input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200">
<button class="primary">${text('sign_in')}</button></form>${abort(texts, action)}`,
  );
}

export interface Consent {
  /** The e-mail address of the user, or their id. */
  readonly user: string;
  readonly choices: readonly ConsentChoice[];
  /** The choice whose scopes the page shows. */
  readonly chosen: ConsentChoice;
  /** Requested scopes that the user's role lacks. */
  readonly refused: readonly string[];
}

/**
 * The choices are links, so that the page shows exactly the scopes that the form grants. Scopes of `DANGEROUS` are
 * never preselected.
 */
export function consentPage(
  { texts, action, host, client }: PageContext,
  { user, choices, chosen, refused }: Consent,
): string {
  const { text, profile, scope: meaning } = texts;
  const choice = ({ name, isRequested }: ConsentChoice): string =>
    `<li><a href="${escapeHtml(action)}?profile=${name}"${name === chosen.name ? ' aria-current="true"' : ''}>${profile(name)}</a>${isRequested && name !== 'requested' ? ` <span class="hint">(${text('requested')})</span>` : ''}</li>`;
  return page(
    texts,
    text('consent_title'),
    `${service(texts, host)}${about(texts, client)}<p>${text('signed_in_as', { user: escapeHtml(user) })} ${text('choose')}</p>
<nav><ul>${choices.map(choice).join('')}</ul></nav>
<p>${text('chosen')}</p>
<form method="post" action="${escapeHtml(action)}/consent"><input type="hidden" name="profile" value="${chosen.name}"><ul>${chosen.scopes
      .map(
        (scope) =>
          `<li><label><input type="checkbox" name="scope" value="${escapeHtml(scope)}"${DANGEROUS.has(scope) ? '' : ' checked'}> ${meaning(scope)} <code>${escapeHtml(scope)}</code></label></li>`,
      )
      .join('')}</ul>
${chosen.scopes.some((scope) => DANGEROUS.has(scope)) ? `<p class="hint">${text('not_selected')}</p>` : ''}
${refused.length > 0 ? `<p class="hint">${text('refused', { scopes: `<code>${escapeHtml(refused.join(' '))}</code>` })}</p>` : ''}
<button class="primary">${text('allow')}</button></form>${abort(texts, action)}`,
  );
}

/** `form`: the form of the library, with a token that prevents other sites from signing the user out. */
export function logoutPage(texts: PageTexts, form: string): string {
  const { text } = texts;
  return page(
    texts,
    text('sign_out_title'),
    `<p>${text('sign_out_question')}</p>${form}<button type="submit" form="op.logoutForm" value="yes" name="logout" autofocus>${text('sign_out_title')}</button>
<button type="submit" form="op.logoutForm">${text('stay')}</button>`,
  );
}

export const signedOutPage = (texts: PageTexts): string =>
  page(texts, texts.text('signed_out_title'), `<p>${texts.text('signed_out')}</p>`);

/** `reason`: the text of the library, in English. */
export const failedPage = (texts: PageTexts, reason: string): string =>
  page(texts, texts.text('failed_title'), `<p lang="en">${escapeHtml(reason)}</p><p>${texts.text('failed')}</p>`);
