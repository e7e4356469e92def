/** Generated texts of the OpenAPI document: about parameters, and about permissions. */
import type { Operation } from '../core/operation.js';

/** Default descriptions of parameters that many operations have. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  page: 'Page number, from 1.',
  per_page: 'Number of entries per page.',
  order_ref: "The client's reference of the order.",
  carrier: 'Selects the parcel of this carrier.',
  q: 'Search text.',
};

/** `order_id` becomes "Id of the order". */
export const describeName = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  const of = /^(.+) id$/.exec(words)?.[1];
  return of === undefined ? `${words[0]!.toUpperCase()}${words.slice(1)}.` : `Id of the ${of}.`;
};

/** The permissions that an operation requires, as text. */
export function describePermissions({ callers, scopes = [], loginOnly, module }: Operation): string {
  const roles = callers.includes('anonymous') ? 'No authentication required.' : `Roles: ${callers.join(', ')}.`;
  return [
    roles,
    ...(scopes.length > 0 ? [`Scopes: ${scopes.join(', ')}.`] : []),
    ...(loginOnly ? ['Requires a token from a sign-in, not an API key.'] : []),
    ...(module === undefined ? [] : [`Requires the module ${module}.`]),
  ].join(' ');
}
