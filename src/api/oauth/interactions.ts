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
import { translate } from '../core/messages/index.js';
import type { Parts } from '../core/parts.js';
import { DANGEROUS, ROLE_SCOPES, SCOPE_MEANINGS, type Scope } from '../core/scopes.js';
import type { Limit } from '../core/rate-limit.js';
import { consentPage, loginPage, pagePolicy, type ClientShown } from './page.js';
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
    step(async (_request, response, details) => {
      if (details.prompt.name === 'login')
        return show(response, details, loginPage(actionOf(details), await ownHost(), await clientOf(details)));
      const account = await accountOf(details);
      const { given, refused } = scopesOf(details, account);
      show(
        response,
        details,
        consentPage(
          actionOf(details),
          await ownHost(),
          await clientOf(details),
          account.email ?? `user ${account.id}`,
          given.map((scope) => ({ scope, meaning: SCOPE_MEANINGS[scope], ticked: !DANGEROUS.has(scope) })),
          refused,
        ),
      );
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
      // The page is in English, and so is the message.
      const language = 'en';
      const locked = typeof signedIn === 'object' && 'lockedSeconds' in signedIn ? signedIn.lockedSeconds : undefined;
      response.status(locked === undefined ? 401 : 429);
      show(
        response,
        details,
        loginPage(
          actionOf(details),
          await ownHost(),
          await clientOf(details),
          locked === undefined
            ? translate('WRONG_CREDENTIALS', {}, language)
            : translate('LOCKED_OUT', { seconds: locked }, language),
        ),
      );
    }),
  );

  router.post(
    '/:uid/consent',
    formBody,
    step(async (request, response, details) => {
      if (details.prompt.name !== 'consent') throw new ApiError('INVALID_INPUT');
      const account = await accountOf(details);
      const ticked = new Set([(request.body as Record<string, unknown>)['scope'] ?? []].flat());
      const { given, refused } = scopesOf(details, account);
      const allowed = given.filter((scope) => ticked.has(scope));
      if (allowed.length === 0)
        return finish(request, response, { error: 'access_denied', error_description: 'The user granted no scope.' });
      const server = await provider();
      const grant = new server.Grant({ accountId: String(account.id), clientId: String(details.params['client_id']) });
      const promptDetails = details.prompt.details as {
        missingOIDCScope?: string[];
        missingResourceScopes?: Record<string, string[]>;
      };
      if (promptDetails.missingOIDCScope) grant.addOIDCScope(promptDetails.missingOIDCScope.join(' '));
      for (const [resource, scopes] of Object.entries(promptDetails.missingResourceScopes ?? {})) {
        const agreed = scopes.filter((scope) => (allowed as readonly string[]).includes(scope));
        if (agreed.length > 0) grant.addResourceScope(resource, agreed.join(' '));
        // Requested scopes that are not granted count as answered: the token has only the others.
        const denied = scopes.filter(
          (scope) => !agreed.includes(scope) || (refused as readonly string[]).includes(scope),
        );
        if (denied.length > 0) grant.rejectResourceScope(resource, denied.join(' '));
      }
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

  async function ownHost(): Promise<string> {
    return new URL((await provider()).issuer).host;
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

const actionOf = ({ uid }: Details): string => `${INTERACTION_PATH}/${uid}`;

/** The requested scopes of the catalogue, divided into those that the user's role has and those that it lacks. */
function scopesOf(
  { prompt }: Details,
  { role }: Account,
): { readonly given: readonly Scope[]; readonly refused: readonly string[] } {
  const { missingResourceScopes = {} } = prompt.details as { missingResourceScopes?: Record<string, string[]> };
  const missingScopes = [...new Set(Object.values(missingResourceScopes).flat())];
  const given = missingScopes.filter((scope): scope is Scope => ROLE_SCOPES[role].has(scope as Scope));
  return { given, refused: missingScopes.filter((scope) => !(given as readonly string[]).includes(scope)) };
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
