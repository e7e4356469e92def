/** Generated texts of the OpenAPI document: about parameters, and about permissions. */
import type { Operation } from '../core/operation.js';

/** Default descriptions of parameters that many operations have. */
export const MEANINGS: Readonly<Record<string, string>> = {
  page: 'From 1.',
  per_page: 'Entries of a page.',
  order_ref: "The client's own reference.",
  carrier: 'Only the parcel of this carrier.',
  q: 'What is searched for.',
};

/** `order_id` becomes "Id of the order". */
export const inWords = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  const of = /^(.+) id$/.exec(words)?.[1];
  return of === undefined ? `${words[0]!.toUpperCase()}${words.slice(1)}.` : `Id of the ${of}.`;
};

/** The permissions that an operation requires, as text. */
export function whoMay({ callers, scopes = [], loginOnly, module }: Operation): string {
  const roles = callers.includes('anonymous') ? 'Anybody may call this.' : `Roles: ${callers.join(', ')}.`;
  return [
    roles,
    ...(scopes.length > 0 ? [`Scopes: ${scopes.join(', ')}.`] : []),
    ...(loginOnly ? ['Needs a sign-in; no API key.'] : []),
    ...(module === undefined ? [] : [`The module ${module} must be on.`]),
  ].join(' ');
}
