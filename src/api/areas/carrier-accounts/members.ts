/** Checks the members of an account that its adapter defines: settings and credentials. */
import { z } from 'zod';
import type { CarrierAdapter } from '../../../engines/outside/carriers/port.js';
import { checkInput } from '../../core/check-input.js';

export type Members = Readonly<Record<string, unknown>>;

/** The members after a change: absent ones are unchanged, and null removes one (RFC 7396). */
export function merged(before: Members, given: Members): Members {
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== null));
}

/** With defaults. Throws INVALID_INPUT with a path such as `/settings/company_prefix`. */
export function checkedMembers(
  adapter: Pick<CarrierAdapter, 'settings' | 'credentials'>,
  given: { readonly settings: Members; readonly credentials: Members },
): { readonly settings: Members; readonly credentials: Members } {
  const input = z.strictObject({ settings: adapter.settings, credentials: adapter.credentials });
  return checkInput({ input }, given) as ReturnType<typeof checkedMembers>;
}

export const needsCredentials = ({ credentials }: Pick<CarrierAdapter, 'credentials'>): boolean =>
  Object.keys(credentials.shape).length > 0;
