/** Providers, managed by platform admins: their networks. */
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { ProviderCommand } from '../../../commands/providers/decider.js';
import { SOURCE_TYPES } from '../../../events/otep/model.js';
import { NETWORKS } from '../../../events/otep/networks.js';
import { providerIdSchema, providerStream } from '../../../events/providers/events.js';
import type { ProviderHead, ProviderQueries } from '../../../projections/providers/queries.js';
import type { Page, Range } from '../../../projections/core/page.js';
import { fieldError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { versionOf, versionSchema } from '../../core/versions.js';

const network = z
  .enum(NETWORKS)
  .nullable()
  .describe(
    'Network of carriers whose public timelines are merged: `upu` for postal numbers (S10) with a valid check digit, `gs1` for SSCCs. Null: none.',
  );
const tracking_provider_id = providerIdSchema.describe('Id that the operator gave the provider.');

const providerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(SOURCE_TYPES).describe('Source type of events of the provider that contain no source type.'),
    may_open: z.boolean().describe('Whether events of the provider may create trackings.'),
    carrier_codes: z
      .string()
      .nullable()
      .describe('Carrier whose table of status codes translates the raw codes of the provider.'),
    network,
    version: versionSchema,
  })
  .meta({ id: 'TrackingProvider' });

const toProvider = ({ revision, ...provider }: ProviderHead): z.infer<typeof providerSchema> => ({
  id: provider.id,
  name: provider.name,
  kind: provider.kind,
  may_open: provider.may_open,
  carrier_codes: provider.carrier_codes,
  network: provider.network,
  version: revision,
});

const COMMON = { area: 'Providers', callers: ['platform_admin'], scopes: ['platform:write'] } as const;
const versioned = versionOf((input) => providerStream(input['tracking_provider_id'] as string));

export interface ProviderAdministrationOptions {
  readonly handle: Handle<ProviderCommand, undefined>;
  readonly queries: Pick<ProviderQueries, 'byId'>;
  readonly list: (range: Range) => Promise<Page<ProviderHead>>;
}

export function providerAdministration({ handle, queries, list }: ProviderAdministrationOptions): Operation[] {
  return [
    operation({
      ...COMMON,
      name: 'trackingProviders',
      summary: 'List providers',
      description: 'Returns the carriers and other sources that push events, sorted by id.',
      rest: { method: 'get', path: '/v1/tracking-providers' },
      reads: ['providers'],
      input: z.object(pageInput),
      output: z.object({ ...pageOutput, tracking_providers: z.array(providerSchema) }),
      async run(page) {
        const { rows, ...listed } = await list(rangeOf(page));
        return { ...pageOf(page, listed), tracking_providers: rows.map(toProvider) };
      },
    }),

    operation({
      ...COMMON,
      name: 'trackingProvider',
      versioned,
      summary: 'Get a provider',
      rest: { method: 'get', path: '/v1/tracking-providers/:tracking_provider_id' },
      reads: ['providers'],
      answers: { 404: 'There is no such provider.' },
      input: z.object({ tracking_provider_id }),
      output: z.object({ result: z.boolean(), tracking_provider: providerSchema }),
      async run({ tracking_provider_id }) {
        const found = await queries.byId(tracking_provider_id);
        if (!found) throw fieldError('NOT_FOUND', 'tracking_provider_id');
        return { result: true, tracking_provider: toProvider(found) };
      },
    }),

    operation({
      ...COMMON,
      name: 'trackingProviderUpdate',
      versioned,
      summary: 'Update the network of a provider',
      description:
        "Makes the provider a member of a network, or removes it from all networks. If several members have a parcel with the same number of the network, the public timeline of this number contains the events of all members. Providers outside of the network cannot replace this timeline. Reads with `carrier` and reads of the provider's own parcels stay the same. The change takes effect immediately, also for recorded events.",
      rest: { method: 'patch', path: '/v1/tracking-providers/:tracking_provider_id' },
      risk: 'high',
      writes: true,
      awaits: ['providers'],
      returns: { read: 'trackingProvider' },
      answers: { 404: 'There is no such provider.' },
      input: z.object({ tracking_provider_id, network: network.optional() }),
      output: z.object({ result: z.boolean() }),
      async run({ tracking_provider_id, network }, { cause, commandId, wrote }) {
        if (!(await queries.byId(tracking_provider_id))) throw fieldError('NOT_FOUND', 'tracking_provider_id');
        if (network === undefined) return { result: true };
        wrote(
          (await handle(providerStream(tracking_provider_id), { do: 'setNetwork', commandId, network }, cause))
            .position,
        );
        return { result: true };
      },
    }),
  ];
}
