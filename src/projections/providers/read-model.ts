/** The read model of providers: their permissions, their network, and the mapping from raw statuses to OTEP codes. */
import { PROVIDER_PREFIX, type StatusMapping } from '../../events/providers/events.js';
import type { SourceType } from '../../events/otep/model.js';
import type { Network } from '../../events/otep/networks.js';
import { code, flag, integer, json, optional, text, type RowOf } from '../core/columns.js';
import { table } from '../core/table.js';

const columns = {
  id: code(),
  name: text(),
  kind: text<SourceType>(),
  may_open: flag(),
  mapping: json<StatusMapping>(),
  /** Name of a carrier's table of status codes. */
  carrier_codes: optional(text()),
  /** The network of carriers of which the provider is a member. */
  network: optional(text<Network>()),
  revision: integer(),
};
export type ProviderRow = RowOf<typeof columns>;

export const providers = table({
  name: 'providers',
  version: 3,
  prefixes: [PROVIDER_PREFIX],
  columns,
  fold(row, event): ProviderRow {
    const before = row ?? {
      id: event.stream.slice(PROVIDER_PREFIX.length),
      name: '',
      kind: 'carrier',
      may_open: false,
      mapping: [],
      carrier_codes: null,
      network: null,
      revision: 0,
    };
    const data = event.data as Partial<ProviderRow>;
    if (event.type === 'ProviderRegistered')
      return { ...before, name: data.name!, kind: data.kind!, may_open: data.may_open!, revision: event.revision };
    if (event.type === 'StatusMappingSet') return { ...before, mapping: data.mapping!, revision: event.revision };
    if (event.type === 'CarrierCodesSet')
      return { ...before, carrier_codes: data.carrier_codes!, revision: event.revision };
    if (event.type === 'ProviderNetworkSet') return { ...before, network: data.network!, revision: event.revision };
    return { ...before, revision: event.revision };
  },
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'providers', { 'providers.providers': ProviderRow }> {}
}
