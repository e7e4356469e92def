/** The table that translates the raw statuses of a carrier account to OTEP codes. */
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { ProviderCommand } from '../../../commands/providers/decider.js';
import type { CarrierAdapter } from '../../../engines/outside/carriers/port.js';
import { providerStream, type StatusMapping } from '../../../events/providers/events.js';
import type { CarrierAccount, CarrierAccountQueries } from '../../../projections/carrier-accounts/queries.js';
import { ApiError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import { mappingSchema, readMapping } from '../providers/operations.js';
import { createAccountOf } from './accounts.js';
import { ACCOUNT_NOT_FOUND, carrier_account_id } from './shapes.js';

/** The providers of carrier accounts, as which the service writes the scans of carriers. */
export interface AccountProviders {
  idOf(account: CarrierAccount): string;
  /** Registers the provider with the table of the adapter, unless it is registered. */
  of(account: CarrierAccount, adapter: CarrierAdapter): Promise<unknown>;
  mappingOf(account: CarrierAccount, adapter: CarrierAdapter): Promise<StatusMapping>;
}

export interface StatusMappingOptions {
  readonly queries: Pick<CarrierAccountQueries, 'byId'>;
  readonly adapterOf: (id: string) => CarrierAdapter | undefined;
  readonly providers: AccountProviders;
  readonly handle: Handle<ProviderCommand, undefined>;
}

const ANSWERS = {
  ...ACCOUNT_NOT_FOUND,
  503: '`CARRIER_UNAVAILABLE`: this version of the service does not have the adapter.',
};
const output = z.object({ result: z.boolean(), mapping: mappingSchema });

export function statusMappingOperations({ queries, adapterOf, providers, handle }: StatusMappingOptions): Operation[] {
  const accountOf = createAccountOf(queries);

  function adapterFor({ adapter }: CarrierAccount): CarrierAdapter {
    const found = adapterOf(adapter);
    if (!found) throw new ApiError('CARRIER_UNAVAILABLE');
    return found;
  }

  return [
    operation({
      area: 'LabelService',
      name: 'carrierAccountStatusMapping',
      callers: ['client_admin'],
      scopes: ['labels:read'],
      reads: ['carrier_accounts', 'providers'],
      summary: 'Get the status mapping of a carrier account',
      description:
        'Returns the table that maps the raw statuses of the carrier to OTEP status codes. The table begins with the rows of the adapter.',
      rest: { method: 'get', path: '/v1/carrier-accounts/:carrier_account_id/status-mapping' },
      answers: ANSWERS,
      input: z.object({ carrier_account_id }),
      output,
      async run({ carrier_account_id: id }, { caller }) {
        const account = await accountOf(id, caller);
        return { result: true, mapping: [...(await providers.mappingOf(account, adapterFor(account)))] };
      },
    }),
    operation({
      area: 'LabelService',
      name: 'carrierAccountStatusMappingSet',
      callers: ['client_admin'],
      scopes: ['labels:write'],
      awaits: ['providers'],
      writes: true,
      risk: 'high',
      summary: 'Replace the status mapping of a carrier account',
      description:
        'Scans of the carrier get the status code of the matching row. Recorded scans keep their status. Scans with a raw status that no row has are hidden until a row is added. Each status code must be registered or experimental (`UNKNOWN_STATUS`). Each raw status may occur only once (`NOT_UNIQUE`).',
      rest: { method: 'put', path: '/v1/carrier-accounts/:carrier_account_id/status-mapping' },
      answers: ANSWERS,
      input: z.object({ carrier_account_id, mapping: mappingSchema }),
      output,
      async run(input, { caller, cause, commandId, wrote }) {
        const account = await accountOf(input.carrier_account_id, caller);
        const adapter = adapterFor(account);
        const mapping = readMapping(input.mapping);
        // A dry run does not register the provider, so it cannot check the command.
        if (cause.dryRun) return { result: true, mapping };
        await providers.of(account, adapter);
        const stream = providerStream(providers.idOf(account));
        const { position } = await handle(stream, { do: 'map', commandId, mapping }, cause);
        wrote(position);
        return { result: true, mapping };
      },
    }),
  ];
}
