/** The pages of signing in: plain HTML, no script, everything that others wrote shown as text. */

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
 * Nothing is loaded from anywhere, nothing frames it. `formTargets`: where a submitted form may lead to, in addition to
 * ourselves.
 */
export const pagePolicy = (formTargets: readonly string[] = []): string =>
  `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action ${["'self'", ...formTargets].join(' ')}`;
export const PAGE_POLICY = pagePolicy();

export const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`;

/** Where the password is asked for: people compare it with what the browser shows. */
const service = (host: string): string => `<p>This is Open Transport at <code>${escapeHtml(host)}</code>.</p>`;

export interface ClientShown {
  /** As the client calls itself: not to be trusted. */
  readonly name: string;
  /** Where the client's own description was fetched: verified. */
  readonly verifiedHost?: string;
  /** Where the browser goes back to. */
  readonly redirectHost: string;
}

/**
 * Marks that turn the direction of text, and other characters that nobody sees: a name could spell a host with them.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** What a stranger wrote: apart from its surroundings, whatever it holds. */
const strange = (text: string): string => `<bdi>${escapeHtml(text.replace(UNSEEN, ''))}</bdi>`;

const about = ({ name, verifiedHost, redirectHost }: ClientShown): string =>
  `${verifiedHost === undefined ? '' : `<p>An application of <code>${strange(verifiedHost)}</code> (verified).</p>`}
<p><strong>${strange(name)}</strong> wants to connect. It calls itself that.</p>
<p>You will be sent back to <code>${strange(redirectHost)}</code>.</p>`;

const abort = (action: string): string =>
  `<form method="post" action="${escapeHtml(action)}/abort"><button>Cancel</button></form>`;

/** `host`: ours, as its address has it. */
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
  /** Whether the box is ticked beforehand. */
  readonly ticked: boolean;
}

/** `host`: ours, as its address has it. `refused`: asked for, but not the user's to give. */
export function consentPage(
  action: string,
  host: string,
  client: ClientShown,
  user: string,
  scopes: readonly ScopeShown[],
  refused: readonly string[],
): string {
  return page(
    'Give access',
    `${service(host)}${about(client)}<p>You are signed in as ${escapeHtml(user)}. It may then, in your name:</p>
<form method="post" action="${escapeHtml(action)}/consent"><ul>${scopes
      .map(
        ({ scope, meaning, ticked }) =>
          `<li><label><input type="checkbox" name="scope" value="${escapeHtml(scope)}"${ticked ? ' checked' : ''}> ${escapeHtml(meaning)} <code>${escapeHtml(scope)}</code></label></li>`,
      )
      .join('')}</ul>
${refused.length > 0 ? `<p class="hint">It also asked for what your role does not have: <code>${escapeHtml(refused.join(' '))}</code></p>` : ''}
<button class="primary">Allow</button></form>${abort(action)}`,
  );
}

/** `form`: the library's, with what keeps others from signing the person out. */
export function logoutPage(form: string): string {
  return page(
    'Sign out',
    `<p>Sign out of this browser?</p>${form}<button type="submit" form="op.logoutForm" value="yes" name="logout" autofocus>Sign out</button>
<button type="submit" form="op.logoutForm">Stay signed in</button>`,
  );
}
