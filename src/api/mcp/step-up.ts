/**
 * Step-up of a connection by OAuth: the profiles that add tools, and the request for one. Hosts call only tools that
 * were listed, so a model cannot start a step-up by calling a missing tool.
 */
import { isUser, type Caller, type UserCaller } from '../core/callers.js';
import { ApiError } from '../core/errors.js';
import { DANGEROUS, PROFILE_NAMES, PROFILES, scopesFor, type Profile, type Scope } from '../core/scopes.js';
import { scopesIn, type Header } from './connection.js';
import type { Tool } from './tool.js';

export interface FurtherProfile {
  readonly profile: Profile;
  /** Names of the tools that the profile adds. The user must select some of their scopes explicitly. */
  readonly adds: readonly string[];
}

/** The scopes of a profile that the role has, the headers of the connection admit, and the user did not decline. */
function possibleScopes(profile: Profile, { role, declined }: UserCaller, header: Header): Scope[] {
  const admitted = scopesIn(header);
  return [...scopesFor(role, PROFILES[profile])].filter(
    (scope) => (admitted?.has(scope) ?? true) && !declined?.has(scope),
  );
}

/**
 * The profiles that add tools. Empty for callers without a step-up: those with a key, a session or no token. `allowed`
 * lists the tools of a caller.
 */
export function furtherProfiles(
  caller: Caller,
  header: Header,
  allowed: (caller: Caller) => readonly Tool[],
): FurtherProfile[] {
  if (!isUser(caller) || caller.tokenKind !== 'oauth') return [];
  const present = new Set(allowed(caller).map(({ name }) => name));
  return PROFILE_NAMES.flatMap((profile) => {
    const scopes = new Set([...caller.scopes, ...possibleScopes(profile, caller, header)]);
    const adds = allowed({ ...caller, scopes })
      .map(({ name }) => name)
      .filter((name) => !present.has(name));
    return adds.length > 0 ? [{ profile, adds }] : [];
  });
}

/**
 * Throws INSUFFICIENT_SCOPE with the scopes to request if the token lacks scopes of the profile. Scopes that the user
 * must select explicitly are requested, but do not count as missing: a user who does not select them is not asked
 * again. Scopes that the user cleared are not requested.
 */
export function requireProfile(profile: Profile, caller: UserCaller, header: Header): void {
  const { scopes } = caller;
  const wanted = possibleScopes(profile, caller, header);
  const missing = wanted.filter((scope) => !scopes.has(scope) && !DANGEROUS.has(scope));
  if (missing.length > 0)
    throw new ApiError('INSUFFICIENT_SCOPE', {
      params: { scopes: missing.join(' '), ask: [...new Set([...scopes, ...wanted])].join(' ') },
    });
}
