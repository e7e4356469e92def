/** The profiles that the consent page offers to a user. */
import type { UserRole } from '../../events/accounts/events.js';
import { PROFILE_NAMES, PROFILES, scopesFor, type Profile, type Scope } from '../core/scopes.js';

/** `requested`: the requested scopes, if they are the scopes of no profile. */
export type ChoiceName = Profile | 'requested';

export interface ConsentChoice {
  readonly name: ChoiceName;
  /** Only scopes that the user's role has. */
  readonly scopes: readonly Scope[];
  /** The choice that is equal to the request. It is preselected. */
  readonly isRequested: boolean;
}

/**
 * Exactly one choice is the request. A profile without a scope of the role is not offered, and neither is one that has
 * the same scopes as an earlier one: its description would promise more than it grants.
 */
export function consentChoices(requested: readonly Scope[], role: UserRole): readonly ConsentChoice[] {
  const wanted = [...scopesFor(role, requested)];
  const offered = new Map<string, ConsentChoice>();
  for (const name of PROFILE_NAMES) {
    const scopes = [...scopesFor(role, PROFILES[name])];
    const key = keyOf(scopes);
    if (scopes.length > 0 && !offered.has(key)) offered.set(key, { name, scopes, isRequested: key === keyOf(wanted) });
  }
  return offered.has(keyOf(wanted))
    ? [...offered.values()]
    : [{ name: 'requested', scopes: wanted, isRequested: true }, ...offered.values()];
}

/** The choice with this name; without a name the request. Undefined if it is not offered. */
export const choiceNamed = (choices: readonly ConsentChoice[], name: unknown): ConsentChoice | undefined =>
  choices.find((choice) => (name === undefined ? choice.isRequested : choice.name === name));

const keyOf = (scopes: readonly Scope[]): string => [...scopes].sort().join(' ');
