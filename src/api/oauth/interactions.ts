/**
 * The pages on which a user signs in and consents: the steps of an authorization that the library leaves to the
 * application.
 */
import { addressOf } from '../core/client-address.js';
import { formBody } from './form-body.js';
import express, { type Request, type Response, type Router } from 'express';
import type { InteractionResults, Provider } from 'oidc-provider';
import type { Account } from '../../projections/accounts/queries.js';
import { ApiError } from '../core/errors.js';
import { chooseLanguage, translate } from '../core/messages/index.js';
import type { Parts } from '../core/parts.js';
import { DANGEROUS, ROLE_SCOPES, SCOPES, type Scope } from '../core/scopes.js';
import type { Limit } from '../core/rate-limit.js';
import { choiceNamed, consentChoices, type ConsentChoice } from './consent-choices.js';
import { consentPage, loginPage, pagePolicy, type ClientShown, type PageContext } from './page.js';
import { pageTexts } from './page-texts.js';
import { setGrantMembers } from './grant-members.js';
import { INTERACTION_PATH } from './provider.js';

export interface InteractionsOptions extends Parts<'logins' | 'accounts'> {
  readonly provider: () => Promise<Provider>;
  /** Throws RATE_LIMITED. */
  readonly limit: Limit;
}

type Details = Awaited<ReturnType<Provider['interactionDetails']>>;

export function createInteractions({ provider, logins, accounts, limit }: InteractionsOptions): Router {
  const router = express.Router();

  const step =
    (run: (request: Request, response: Response, details: Details) => Promise<void>) =>
    async (request: Request, response: Response) => {
      response.locals['route'] = `${INTERACTION_PATH}/:uid`;
      response.set('Cache-Control', 'no-store');
      response.set(await limit('write', addressOf(request, response)));
      const details = await (await provider()).interactionDetails(request, response).catch((cause: unknown) => {
        // The cookie is missing, expired, or of another browser.
        throw new ApiError('NOT_FOUND', { cause });
      });
      await run(request, response, details);
    };

  const finish = async (request: Request, response: Response, result: InteractionResults) =>
    (await provider()).interactionFinished(request, response, result, { mergeWithLastSubmission: true });

  router.get(
    '/:uid',
    step(async (request, response, details) => {
      const context = await contextOf(request, details);
      if (details.prompt.name === 'login') return show(response, details, loginPage(context));
      const account = await accountOf(details);
      const { requested, refused } = requestOf(details, account);
      const choices = consentChoices(requested, account.role);
      const chosen = offered(choices, request.query['profile']);
      const user = account.email ?? context.texts.text('user', { id: account.id });
      show(response, details, consentPage(context, { user, choices, chosen, refused }));
    }),
  );

  router.post(
    '/:uid/login',
    formBody,
    step(async (request, response, details) => {
      const { email, password } = request.body as Record<string, unknown>;
      if (
        details.prompt.name !== 'login' ||
        typeof email !== 'string' ||
        typeof password !== 'string' ||
        password.length > 200 ||
        email.length > 254
      )
        throw new ApiError('INVALID_INPUT');
      // The time before the password is checked: if access is revoked in the meantime, this sign-in ends, too.
      const ts = Math.floor(Date.now() / 1_000);
      const signedIn = await logins.signIn(email, password, addressOf(request, response));
      const account =
        typeof signedIn === 'object' && 'account' in signedIn ? await accounts.byId(signedIn.account) : undefined;
      if (account?.status === 'active')
        return finish(request, response, { login: { accountId: String(account.id), ts } });
      const context = await contextOf(request, details);
      const { language } = context.texts;
      const locked = typeof signedIn === 'object' && 'lockedSeconds' in signedIn ? signedIn.lockedSeconds : undefined;
      response.status(locked === undefined ? 401 : 429);
      const refusal =
        locked === undefined
          ? translate('WRONG_CREDENTIALS', {}, language)
          : translate('LOCKED_OUT', { seconds: locked }, language);
      show(response, details, loginPage(context, refusal));
    }),
  );

  router.post(
    '/:uid/consent',
    formBody,
    step(async (request, response, details) => {
      if (details.prompt.name !== 'consent') throw new ApiError('INVALID_INPUT');
      const account = await accountOf(details);
      const { scope, profile } = request.body as Record<string, unknown>;
      const ticked = new Set([scope ?? []].flat());
      const { scopes } = offered(consentChoices(requestOf(details, account).requested, account.role), profile);
      const allowed = scopes.filter((one) => ticked.has(one));
      if (allowed.length === 0)
        return finish(request, response, { error: 'access_denied', error_description: 'The user granted no scope.' });
      const server = await provider();
      const grant = new server.Grant({ accountId: String(account.id), clientId: String(details.params['client_id']) });
      const { missingOIDCScope = [], missingResourceScopes = {} } = missingIn(details);
      const isDenied = (one: string): boolean => isScope(one) && !allowed.includes(one);
      // The library lists scopes of the service here, too. Those that are not granted count as answered: the token has
      // only the others.
      grant.addOIDCScope([...missingOIDCScope.filter((one) => !isDenied(one)), ...allowed].join(' '));
      grant.rejectOIDCScope(missingOIDCScope.filter(isDenied).join(' '));
      for (const [resource, missing] of Object.entries(missingResourceScopes)) {
        grant.addResourceScope(resource, allowed.join(' '));
        const denied = missing.filter(isDenied);
        if (denied.length > 0) grant.rejectResourceScope(resource, denied.join(' '));
      }
      setGrantMembers(grant, {
        // Scopes that the page preselected, and that the user cleared.
        declined: scopes.filter((one) => !ticked.has(one) && !DANGEROUS.has(one)),
        session: details.session?.uid,
      });
      // The token has at most the scopes of the request, so those of the chosen profile are added to it.
      const asked = String(details.params['scope'] ?? '').split(' ');
      details.params['scope'] = [...new Set([...asked, ...allowed])].join(' ').trim();
      await details.persist();
      await finish(request, response, { consent: { grantId: await grant.save() } });
    }),
  );

  router.post(
    '/:uid/abort',
    formBody,
    step(async (request, response) =>
      finish(request, response, { error: 'access_denied', error_description: 'The user denied access.' }),
    ),
  );

  return router;

  async function contextOf(request: Request, details: Details): Promise<PageContext> {
    return {
      texts: pageTexts(chooseLanguage(request.get('accept-language'))),
      action: `${INTERACTION_PATH}/${details.uid}`,
      host: new URL((await provider()).issuer).host,
      client: await clientOf(details),
    };
  }

  async function accountOf(details: Details): Promise<Account> {
    const account = await accounts.byId(Number(details.session?.accountId));
    if (account?.status !== 'active') throw new ApiError('FORBIDDEN');
    return account;
  }

  async function clientOf({ params }: Details): Promise<ClientShown> {
    const id = String(params['client_id']);
    const client = await (await provider()).Client.find(id);
    return {
      name: client?.clientName ?? id,
      // The URL of a metadata document identifies its client. Its host is verified, because the document was fetched
      // from it.
      ...(URL.canParse(id) && { verifiedHost: new URL(id).host }),
      redirectHost: new URL(String(params['redirect_uri'])).host || String(params['redirect_uri']),
    };
  }
}

/** Throws INVALID_INPUT if the choice is not one of the page. */
function offered(choices: readonly ConsentChoice[], name: unknown): ConsentChoice {
  const choice = choiceNamed(choices, name);
  if (!choice) throw new ApiError('INVALID_INPUT');
  return choice;
}

const isScope = (name: string): name is Scope => (SCOPES as readonly string[]).includes(name);

const missingIn = ({ prompt }: Details) =>
  prompt.details as { missingOIDCScope?: string[]; missingResourceScopes?: Record<string, string[]> };

/** The requested scopes of the catalogue, and the requested scopes that the user's role lacks. */
function requestOf(
  details: Details,
  { role }: Account,
): { readonly requested: readonly Scope[]; readonly refused: readonly string[] } {
  const missing = new Set(Object.values(missingIn(details).missingResourceScopes ?? {}).flat());
  const requested = SCOPES.filter((scope) => missing.has(scope));
  return { requested, refused: requested.filter((scope) => !ROLE_SCOPES[role].has(scope)) };
}

/** Allows the redirect to the client: browsers apply `form-action` also to redirects after a form. */
function show(response: Response, { params }: Details, html: string): void {
  const target = new URL(String(params['redirect_uri']));
  response
    .set('Content-Security-Policy', pagePolicy([/^https?:$/.test(target.protocol) ? target.origin : target.protocol]))
    .set('Referrer-Policy', 'no-referrer')
    .set('X-Frame-Options', 'DENY')
    .type('html')
    .end(html);
}
