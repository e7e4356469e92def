/** Profiles of drivers, visible to the driver, to staff, and to captains of the driver's fleets. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import { driverStream } from '../../../events/drivers/events.js';
import { TRANSPORTS, type DriverProfile } from '../../../events/drivers/profile-and-documents.js';
import type { DocumentQueries } from '../../../projections/drivers/document-queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { positionInput, positionSchema } from '../../core/geo.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { createNeedDriver } from './known.js';
import { RELATIONS } from '../../core/relations.js';
import { settingsVersionSchema } from '../../core/versions.js';
import { OWN_PROFILE_VERSION, PROFILE_VERSION } from './versions.js';

const line = z.string().trim().min(1).max(300);
const profileInput = {
  home_region: line.nullable().optional().describe('Region in which the driver prefers to work.'),
  languages: z
    .array(z.string().regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/))
    .max(20)
    .nullable()
    .optional()
    .describe('Languages as BCP 47 tags: `de`, `zh-Hant`.'),
  transport: z.enum(TRANSPORTS).nullable().optional(),
  address: line.nullable().optional(),
  home_position: positionInput
    .nullable()
    .optional()
    .describe('Position of the home, in degrees. Start and end of routes that start or end at home.'),
  birth_date: z.iso.date().nullable().optional(),
  emergency_contact: line.nullable().optional(),
  licence_no: z.string().trim().min(1).max(60).nullable().optional(),
};
type ProfileUpdate = z.infer<z.ZodObject<typeof profileInput>>;
const infoShown = z
  .object({
    driver_id: z.int(),
    name: z.string().nullable(),
    phone: z.string().nullable(),
    home_region: z.string().nullable(),
    languages: z.array(z.string()),
    transport: z.enum(TRANSPORTS).nullable(),
    address: z.string().nullable(),
    home_position: positionSchema.nullable(),
    birth_date: z.string().nullable(),
    emergency_contact: z.string().nullable(),
    licence_no: z.string().nullable(),
    version: settingsVersionSchema,
  })
  .meta({ id: 'DriverInfo' })
  .register(RELATIONS, { driver: 'driver' });
const shown = z.object({ result: z.boolean(), driver_info: infoShown });
const done = z.object({ result: z.boolean() });

export function infoOperations({
  commands,
  papers,
  accounts,
  fleets,
}: Parts<'accounts' | 'fleets'> & { commands: Pick<Commands, 'drivers'>; papers: DocumentQueries }): Operation[] {
  const need = createNeedDriver({ accounts, fleets });
  async function read(driverId: number): Promise<z.infer<typeof shown>> {
    const [account, { profile, version }] = await Promise.all([accounts.byId(driverId), papers.profile(driverId)]);
    const { home_region, languages, transport, address, home_position, birth_date, emergency_contact, licence_no } =
      profile ?? ({ languages: [] } as DriverProfile);
    return {
      result: true,
      driver_info: {
        driver_id: driverId,
        name: account?.name ?? null,
        phone: account?.phone ?? null,
        home_region: home_region ?? null,
        languages: [...languages],
        transport: transport ?? null,
        address: address ?? null,
        home_position: home_position ?? null,
        birth_date: birth_date ?? null,
        emergency_contact: emergency_contact ?? null,
        licence_no: licence_no ?? null,
        version,
      },
    };
  }
  async function update(driverId: number, update: ProfileUpdate, context: Context): Promise<z.infer<typeof done>> {
    const { caller, commandId, cause, wrote } = context;
    const given = Object.entries(update).filter(([, value]) => value !== undefined);
    const { profile: known } = await papers.profile(driverId);
    const changed = { ...known, ...Object.fromEntries(given) };
    const kept = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null));
    const profile = { languages: [], ...kept } as DriverProfile;
    const whose = { commandId, userId: driverId, business: businessOf(caller), by: userOf(caller).userId };
    const command = { ...whose, do: 'setProfile' as const, profile };
    wrote((await commands.drivers(driverStream(driverId), command, cause)).position);
    return { result: true };
  }

  const read_ = {
    area: 'DriverInfo',
    scopes: ['drivers:read'],
    reads: ['driver_profiles', 'accounts', 'fleets'],
    output: shown,
  } as const;
  const write_ = {
    area: 'DriverInfo',
    scopes: ['drivers:write'],
    reads: ['driver_profiles', 'fleets'],
    awaits: ['driver_profiles'],
    writes: true,
    risk: 'medium',
    output: done,
  } as const;
  const callers = ['client_admin', 'employee', 'broker', 'driver'] as const;
  const answers = { 404: 'There is no such driver, or the driver is in no fleet of the caller.' };
  const partial =
    'Omitted fields keep their values; null clears a field. The profile is encrypted and is erased together with the account.';
  return [
    operation({
      ...read_,
      name: 'driverInfo',
      versioned: PROFILE_VERSION,
      summary: 'Get the profile of a driver',
      description: "Available to the driver, to staff, and to captains of the driver's fleets.",
      rest: { method: 'get', path: '/v1/drivers/:driver_id/info' },
      callers,
      answers,
      input: z.object({ driver_id: idSchema }),
      async run({ driver_id }, { caller }) {
        await need(caller, driver_id);
        return read(driver_id);
      },
    }),
    operation({
      ...write_,
      name: 'driverInfoUpdate',
      versioned: PROFILE_VERSION,
      returns: { read: 'driverInfo' },
      summary: 'Update the profile of a driver',
      description: partial,
      rest: { method: 'patch', path: '/v1/drivers/:driver_id/info' },
      callers,
      answers,
      input: z.object({ driver_id: idSchema, ...profileInput }),
      async run({ driver_id, ...profile }, context) {
        await need(context.caller, driver_id);
        return update(driver_id, profile, context);
      },
    }),
    operation({
      ...read_,
      name: 'meDriverInfo',
      versioned: OWN_PROFILE_VERSION,
      summary: 'Get your driver profile',
      rest: { method: 'get', path: '/v1/me/driver-info' },
      callers: ['driver'],
      input: z.object({}),
      run: (_input, { caller }) => read(userOf(caller).userId),
    }),
    operation({
      ...write_,
      name: 'meDriverInfoUpdate',
      versioned: OWN_PROFILE_VERSION,
      returns: { read: 'meDriverInfo' },
      summary: 'Update your driver profile',
      description: partial,
      rest: { method: 'patch', path: '/v1/me/driver-info' },
      callers: ['driver'],
      input: z.object(profileInput),
      run: (profile, context) => update(userOf(context.caller).userId, profile, context),
    }),
  ];
}
