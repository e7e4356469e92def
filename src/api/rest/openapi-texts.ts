/** Generated texts of the OpenAPI document: about parameters, and about permissions. */
import type { Operation } from '../core/operation.js';

/** Default descriptions of parameters that many operations have. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  page: 'Page number, from 1.',
  per_page: 'Number of entries per page.',
  order_ref: "The client's reference of the order.",
  carrier: 'Selects the parcel of this carrier.',
  q: 'Search text.',
  query: 'Search text.',
  limit: 'Maximum number of entries in the response.',
  status: 'Return only entries with this status.',
  type: 'Return only entries of this type.',
  kind: 'Return only entries of this kind.',
  kinds: 'Return only items of these kinds, as names separated by commas.',
  tag: 'Return only entries with this tag.',
  role: 'Return only accounts with this role.',
  currency: 'Return only entries in this currency (ISO 4217).',
  area: 'Return only events of this area of the service.',
  channel: 'Return only events that came through this interface.',
  sort: 'Order of the events: `recorded_at` lists the oldest first, `-recorded_at` the newest first.',
  period: 'Period in which the orders were created.',
  schedule_date: 'Return only entries of this date (`YYYY-MM-DD`).',
  schedule_date_from: 'First day of the range.',
  external_ref: 'Return only the entry with this id in another system.',
  include_retired: 'Whether the list also contains retired entries.',
  event_type: 'Return only deliveries of this event type.',
  latitude: 'Latitude in degrees, WGS 84.',
  longitude: 'Longitude in degrees, WGS 84.',
  module: 'Module to enable or disable.',
  guide: 'Name of the guide: `integration`, `otep` or `webhooks`.',
  level: 'Level of the tile in the tree. Tiles of level 0 contain the hashes of events.',
  index: 'Index of the tile, such as `x001/067`.',
  async_id: '`async_id` from the response of `ordersBatchAsync`.',
  broker_id: 'User id of the contractor.',
  capture_id: 'Id of the capture job.',
  correlation_id: 'Correlation id: the id of the request that caused the events.',
  customer_id: 'Id of the customer account.',
  delivery_id: 'Id of the webhook delivery.',
  driver_id: 'User id of the driver.',
  effect_id: 'Id of the call or message.',
  key_id: 'Id of the API key.',
  oauth_grant_id: 'Id of the access that the user gave to an application.',
  op_id: '`op_id` of the scan.',
  poi_id: 'Id of the point of interest.',
  public_id: 'Public id of the map.',
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
