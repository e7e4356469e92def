/** The sign-in pages: plain HTML without scripts. Text from other parties is always escaped. */

export const escapeHtml = (text: unknown): string =>
  String(text ?? '').replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 26rem; margin: 0 auto; padding: 2rem 1rem }
h1 { font-size: 1.4rem } label { display: block; margin: .8rem 0 .2rem }
input:not([type=checkbox]) { box-sizing: border-box; width: 100%; padding: .5rem; font: inherit }
ul { list-style: none; padding: 0 } li label { margin: .3rem 0 } code { overflow-wrap: anywhere }
.primary { background: #0b57d0; color: #fff; border: 1px solid #0b57d0; border-radius: .2rem }
button { margin: 1rem .5rem 0 0; padding: .5rem 1.2rem; font: inherit } .error { border-left: .25rem solid #c00; padding-left: .6rem } .hint { opacity: .75; font-size: .9rem }`;

/**
 * The pages load nothing and cannot be framed. `formTargets`: origins or schemes to which a submitted form may
 * redirect, in addition to this origin.
 */
export const pagePolicy = (formTargets: readonly string[] = []): string =>
  `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action ${["'self'", ...formTargets].join(' ')}`;
export const PAGE_POLICY = pagePolicy();

export const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`;

/** Shown on pages that ask for a password: the user compares the host with the browser's address bar. */
const service = (host: string): string => `<p>This is Open Transport at <code>${escapeHtml(host)}</code>.</p>`;

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

const about = ({ name, verifiedHost, redirectHost }: ClientShown): string =>
  `${verifiedHost === undefined ? '' : `<p>An application of <code>${strange(verifiedHost)}</code> (verified).</p>`}
<p><strong>${strange(name)}</strong> wants to connect. The application chose this name itself.</p>
<p>You will be redirected to <code>${strange(redirectHost)}</code>.</p>`;

const abort = (action: string): string =>
  `<form method="post" action="${escapeHtml(action)}/abort"><button>Cancel</button></form>`;

/** `host`: the host of this service. */
export function loginPage(action: string, host: string, client: ClientShown, error?: string): string {
  return page(
    'Sign in to Open Transport',
    `${service(host)}${about(client)}${error === undefined ? '' : `<p class="error" role="alert">${escapeHtml(error)}</p>`}
<form method="post" action="${escapeHtml(action)}/login">
<label for="email">E-mail address</label><input id="email" name="email" type="email" autocomplete="username" required autofocus maxlength="254">
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200">
<button class="primary">Sign in</button></form>${abort(action)}`,
  );
}

export interface ScopeShown {
  readonly scope: string;
  readonly meaning: string;
  /** Whether the checkbox is preselected. */
  readonly ticked: boolean;
}

/** `host`: the host of this service. `refused`: requested scopes that the user's role lacks. */
export function consentPage(
  action: string,
  host: string,
  client: ClientShown,
  user: string,
  scopes: readonly ScopeShown[],
  refused: readonly string[],
): string {
  return page(
    'Grant access',
    `${service(host)}${about(client)}<p>You are signed in as ${escapeHtml(user)}. If you allow it, the application can do the following in your name:</p>
<form method="post" action="${escapeHtml(action)}/consent"><ul>${scopes
      .map(
        ({ scope, meaning, ticked }) =>
          `<li><label><input type="checkbox" name="scope" value="${escapeHtml(scope)}"${ticked ? ' checked' : ''}> ${escapeHtml(meaning)} <code>${escapeHtml(scope)}</code></label></li>`,
      )
      .join('')}</ul>
${refused.length > 0 ? `<p class="hint">It also requested scopes that your role does not have: <code>${escapeHtml(refused.join(' '))}</code></p>` : ''}
<button class="primary">Allow</button></form>${abort(action)}`,
  );
}

/** `form`: the form of the library, with a token that prevents other sites from signing the user out. */
export function logoutPage(form: string): string {
  return page(
    'Sign out',
    `<p>Sign out of this browser?</p>${form}<button type="submit" form="op.logoutForm" value="yes" name="logout" autofocus>Sign out</button>
<button type="submit" form="op.logoutForm">Stay signed in</button>`,
  );
}
