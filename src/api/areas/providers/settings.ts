/** Settings of a provider: the carrier's table that maps its raw codes. */
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { ProviderCommand } from '../../../commands/providers/decider.js';
import { CARRIER_NAMES } from '../../../events/otep/carriers/carriers.js';
import { providerStream } from '../../../events/providers/events.js';
import type { ProviderQueries } from '../../../projections/providers/queries.js';
import type { Caller, ProviderCaller } from '../../core/callers.js';
import { operation, type Operation } from '../../core/operation.js';
import { settingsVersionSchema, versionOf } from '../../core/versions.js';

const carrierCodes = z
  .enum(CARRIER_NAMES)
  .nullable()
  .describe(
    'Carrier whose table of status codes translates the raw codes of the provider. `otepCarriers` lists the carriers. Null: only the status mapping of the provider applies.',
  );
const settingsSchema = z
  .object({ carrier_codes: z.string().nullable(), version: settingsVersionSchema })
  .meta({ id: 'ProviderSettings' });

const COMMON = {
  area: 'Providers',
  callers: ['provider'],
  versioned: versionOf((_input, caller: Caller) => providerStream((caller as ProviderCaller).id)),
} as const;

export interface ProviderSettingsOptions {
  readonly handle: Handle<ProviderCommand, undefined>;
  readonly queries: Pick<ProviderQueries, 'byId'>;
}

export function providerSettings({ handle, queries }: ProviderSettingsOptions): Operation[] {
  return [
    operation({
      ...COMMON,
      name: 'providerSettings',
      summary: 'Get the settings of the calling provider',
      description:
        'Returns the settings. `carrier_codes` names the carrier whose table of status codes translates the raw codes of the provider.',
      rest: { method: 'get', path: '/v1/provider-settings' },
      reads: ['providers'],
      input: z.object({}),
      output: z.object({ result: z.boolean(), provider_settings: settingsSchema }),
      async run(_input, { caller }) {
        const { carrier_codes = null, revision = -1 } = (await queries.byId((caller as ProviderCaller).id)) ?? {};
        return { result: true, provider_settings: { carrier_codes, version: revision } };
      },
    }),

    operation({
      ...COMMON,
      name: 'providerSettingsUpdate',
      summary: 'Update the settings of the calling provider',
      description:
        'Chooses the carrier whose table of status codes translates raw codes of later events. Rows of the status mapping have priority over this table. `source.carrier` of an event has priority over the chosen carrier. Recorded events keep their status.',
      rest: { method: 'patch', path: '/v1/provider-settings' },
      writes: true,
      awaits: ['providers'],
      returns: { read: 'providerSettings' },
      input: z.object({ carrier_codes: carrierCodes.optional() }),
      output: z.object({ result: z.boolean() }),
      async run({ carrier_codes }, { caller, cause, commandId, wrote }) {
        if (carrier_codes === undefined) return { result: true };
        const stream = providerStream((caller as ProviderCaller).id);
        wrote((await handle(stream, { do: 'chooseCodes', commandId, carrier_codes }, cause)).position);
        return { result: true };
      },
    }),
  ];
}
