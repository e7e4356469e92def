/**
 * Members that the service adds to grants of the library: the scopes that the user cleared on the consent page, so that
 * the user is not asked for them again, and the browser session of the consent.
 */
import type { Provider } from 'oidc-provider';
import type { Scope } from '../core/scopes.js';

export type Grant = InstanceType<Provider['Grant']>;

interface Members {
  /** Separated by spaces. */
  readonly declined?: string;
  readonly consentSession?: string;
}
const NAMES: readonly (keyof Members)[] = ['declined', 'consentSession'];

/** Makes the library store the members: it stores only listed ones. */
export function storeGrantMembers({ Grant }: Provider): void {
  const { IN_PAYLOAD: listed } = Grant as unknown as { IN_PAYLOAD: readonly string[] };
  Object.defineProperty(Grant, 'IN_PAYLOAD', { value: [...listed, ...NAMES] });
}

/** `session`: id of the browser session. */
export function setGrantMembers(
  grant: Grant,
  { declined, session }: { readonly declined: readonly Scope[]; readonly session: string | undefined },
): void {
  Object.assign(grant, {
    ...(declined.length > 0 && { declined: declined.join(' ') }),
    ...(session !== undefined && { consentSession: session }),
  } satisfies Members);
}

/** The additional members of the access tokens of a grant. Each request reads the token, but not its grant. */
export function tokenMembers(grant: Grant | undefined): Pick<Members, 'declined'> | undefined {
  const { declined } = (grant ?? {}) as Members;
  return declined === undefined ? undefined : { declined };
}

/** `extra`: the additional members of an access token. */
export const declinedScopes = (extra: Readonly<Record<string, unknown>> | undefined): ReadonlySet<Scope> =>
  new Set(((extra as Members | undefined)?.declined ?? '').split(' ') as Scope[]);
