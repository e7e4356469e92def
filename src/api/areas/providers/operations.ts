/** Settings of a provider: the table that maps its raw statuses to OTEP codes. */
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { ProviderCommand } from '../../../commands/providers/decider.js';
import { bareCode, isExperimental, statusCode } from '../../../events/otep/codes.js';
import { PROFILE } from '../../../events/otep/model.js';
import { providerStream, statusMappingSchema } from '../../../events/providers/events.js';
import type { ProviderCaller } from '../../core/callers.js';
import { mapStatus } from '../trackings/mapping.js';
import { ApiError } from '../../core/errors.js';
import { rawKey } from '../../../projections/providers/status-table.js';
import { operation, type Operation } from '../../core/operation.js';

export interface ProviderOptions {
  readonly handle: Handle<ProviderCommand, undefined>;
  readonly unmapped: { of(provider: string): Promise<readonly UnmappedStatus[]> };
}

/** A raw status that no table contains. */
interface UnmappedStatus {
  readonly raw: string;
  readonly count: number;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  readonly tracking_number: string | null;
}

const unmappedStatus = z
  .object({
    raw: z.string(),
    count: z.int().meta({ description: 'Number of events, including repeated events.' }),
    first_seen_at: z.string().meta({ format: 'date-time' }),
    last_seen_at: z.string().meta({ format: 'date-time' }),
    tracking_number: z
      .string()
      .nullable()
      .meta({ description: 'Tracking number of the latest event, as the provider sent it.' }),
  })
  .meta({ id: 'UnmappedStatus' });

const mappingSchema = z
  .array(statusMappingSchema.element.meta({ id: 'StatusMapping' }))
  .max(1_000)
  .describe('The complete table. Each row maps one raw status to an OTEP status code.');
const mappingOutput = z.object({ result: z.boolean(), mapping: mappingSchema });

export function providerOperations({ handle, unmapped }: ProviderOptions): Operation[] {
  return [
    operation({
      name: 'providerStatusMapping',
      area: 'Providers',
      summary: 'Get the status mapping of the calling provider',
      description: "Returns the table that maps the provider's raw statuses to OTEP status codes.",
      rest: { method: 'get', path: '/v1/provider/status-mapping' },
      callers: ['provider'],
      reads: ['providers'],
      input: z.object({}),
      output: mappingOutput,
      run: (_input, { caller }) =>
        Promise.resolve({ result: true, mapping: [...(caller as ProviderCaller).mapping.values()] }),
    }),

    operation({
      name: 'providerUnmappedStatuses',
      area: 'Providers',
      summary: 'List raw statuses without a mapping',
      description:
        'Lists raw statuses, the latest first. They come from events without a `status_code`, for which neither the status mapping nor the table of the carrier has a row. The service keeps these events, and maps them when a row is added. It rejects current statuses (`otepIngestStatus`) without a row. The service keeps the 200 latest statuses, for 30 days after their last occurrence. If a process of the service is killed, the most recent counts of the process are lost. Add the missing rows with `providerStatusMappingSet`.',
      rest: { method: 'get', path: '/v1/provider/status-mapping/unmapped' },
      callers: ['provider'],
      reads: ['providers'],
      input: z.object({}),
      output: z.object({ result: z.boolean(), unmapped: z.array(unmappedStatus) }),
      run: async (_input, { caller }) => {
        const provider = caller as ProviderCaller;
        const rows = await unmapped.of(provider.id);
        return { result: true, unmapped: rows.filter(({ raw }) => !mapStatus(provider, { code: raw })) };
      },
    }),

    operation({
      name: 'providerStatusMappingSet',
      area: 'Providers',
      summary: 'Replace the status mapping of the calling provider',
      description:
        'Events that carry only `raw.code` get the status code of the matching row. The rows have priority over the table of a carrier. Recorded events keep their status. Events that the service keeps because their code is unknown get the status of a matching new row. Each status code must be registered or experimental (`UNKNOWN_STATUS`); the form `otep:parcel:<code>` is also accepted. Each raw status may occur only once (`NOT_UNIQUE`). Raw statuses are compared without case, and without blanks at the beginning and the end.',
      rest: { method: 'put', path: '/v1/provider/status-mapping' },
      callers: ['provider'],
      writes: true,
      awaits: ['providers'],
      input: z.object({ mapping: mappingSchema }),
      output: mappingOutput,
      run: async (input, { caller, cause, commandId, wrote }) => {
        const mapping = input.mapping.map((row) => ({ ...row, status_code: bareCode(PROFILE, row.status_code) }));
        checkMapping(mapping);
        const { position } = await handle(
          providerStream((caller as ProviderCaller).id),
          { do: 'map', commandId, mapping },
          cause,
        );
        wrote(position);
        return { result: true, mapping };
      },
    }),
  ];
}

/** Checks that every code is registered or experimental, and that each raw status occurs once. */
function checkMapping(mapping: z.infer<typeof statusMappingSchema>): void {
  const seen = new Set<string>();
  const errors = mapping.flatMap(({ raw, status_code }, index) => {
    const found = [];
    if (!statusCode(status_code) && !isExperimental(status_code))
      found.push({
        field: 'status_code',
        path: `/mapping/${index}/status_code`,
        code: 'UNKNOWN_STATUS',
        params: { status: status_code },
      });
    if (seen.has(rawKey(raw))) found.push({ field: 'raw', path: `/mapping/${index}/raw`, code: 'NOT_UNIQUE' });
    seen.add(rawKey(raw));
    return found;
  });
  if (errors.length > 0) throw new ApiError('INVALID_INPUT', { errors });
}
