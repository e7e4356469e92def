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
import { createExpectDriver } from './expect-driver.js';
import { RELATIONS } from '../../core/relations.js';
import { settingsVersionSchema } from '../../core/versions.js';
import { OWN_PROFILE_VERSION, PROFILE_VERSION } from './versions.js';

const lineInput = z.string().trim().min(1).max(300);
const profileInput = {
  home_region: lineInput.nullable().optional().describe('Region in which the driver prefers to work.'),
  languages: z
    .array(z.string().regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/))
    .max(20)
    .nullable()
    .optional()
    .describe('Languages as BCP 47 tags: `de`, `zh-Hant`.'),
  transport: z.enum(TRANSPORTS).nullable().optional(),
  address: lineInput.nullable().optional(),
  home_position: positionInput
    .nullable()
    .optional()
    .describe("Position of the driver's home, in degrees. Routes that start or end at home use it."),
  birth_date: z.iso.date().nullable().optional(),
  emergency_contact: lineInput.nullable().optional(),
  licence_no: z.string().trim().min(1).max(60).nullable().optional(),
};
type ProfileUpdate = z.infer<z.ZodObject<typeof profileInput>>;
const infoSchema = z
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
const infoOutput = z.object({ result: z.boolean(), driver_info: infoSchema });
const writeOutput = z.object({ result: z.boolean() });

export function infoOperations({
  commands,
  documents,
  accounts,
  fleets,
}: Parts<'accounts' | 'fleets'> & { commands: Pick<Commands, 'drivers'>; documents: DocumentQueries }): Operation[] {
  const expectDriver = createExpectDriver({ accounts, fleets });
  async function read(driverId: number): Promise<z.infer<typeof infoOutput>> {
    const [account, { profile, version }] = await Promise.all([accounts.byId(driverId), documents.profile(driverId)]);
    const { home_region, languages, transport, address, home_position, birth_date, emergency_contact, licence_no } =
      profile ?? ({ languages: [] } as DriverProfile);
    return {
      result: true,
      driver_info: {
        driver_id: driverId,
        name: account?.name ?? null,
        phone: account?.phone || null,
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
  async function update(
    driverId: number,
    update: ProfileUpdate,
    context: Context,
  ): Promise<z.infer<typeof writeOutput>> {
    const { caller, commandId, cause, wrote } = context;
    const updates = Object.entries(update).filter(([, value]) => value !== undefined);
    const { profile: currentProfile } = await documents.profile(driverId);
    const changed = { ...currentProfile, ...Object.fromEntries(updates) };
    const setFields = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null));
    const profile = { languages: [], ...setFields } as DriverProfile;
    const commandFields = { commandId, userId: driverId, business: businessOf(caller), by: userOf(caller).userId };
    const command = { ...commandFields, do: 'setProfile' as const, profile };
    wrote((await commands.drivers(driverStream(driverId), command, cause)).position);
    return { result: true };
  }

  const readOptions = {
    area: 'DriverInfo',
    scopes: ['drivers:read'],
    reads: ['driver_profiles', 'accounts', 'fleets'],
    output: infoOutput,
  } as const;
  const writeOptions = {
    area: 'DriverInfo',
    scopes: ['drivers:write'],
    reads: ['driver_profiles', 'fleets'],
    awaits: ['driver_profiles'],
    writes: true,
    risk: 'medium',
    output: writeOutput,
  } as const;
  const callers = ['client_admin', 'employee', 'broker', 'driver'] as const;
  const answers = { 404: 'There is no such driver, or the driver is in no fleet of the caller.' };
  const partialDescription =
    'Omitted fields keep their values; null clears a field. The profile is encrypted and is erased together with the account.';
  return [
    operation({
      ...readOptions,
      name: 'driverInfo',
      versioned: PROFILE_VERSION,
      summary: 'Get the profile of a driver',
      description: "The profile is available to the driver, to staff, and to captains of the driver's fleets.",
      rest: { method: 'get', path: '/v1/drivers/:driver_id/info' },
      callers,
      answers,
      input: z.object({ driver_id: idSchema }),
      async run({ driver_id }, { caller }) {
        await expectDriver(caller, driver_id);
        return read(driver_id);
      },
    }),
    operation({
      ...writeOptions,
      name: 'driverInfoUpdate',
      versioned: PROFILE_VERSION,
      returns: { read: 'driverInfo' },
      summary: 'Update the profile of a driver',
      description: partialDescription,
      rest: { method: 'patch', path: '/v1/drivers/:driver_id/info' },
      callers,
      answers,
      input: z.object({ driver_id: idSchema, ...profileInput }),
      async run({ driver_id, ...profile }, context) {
        await expectDriver(context.caller, driver_id);
        return update(driver_id, profile, context);
      },
    }),
    operation({
      ...readOptions,
      name: 'meDriverInfo',
      versioned: OWN_PROFILE_VERSION,
      summary: 'Get your driver profile',
      rest: { method: 'get', path: '/v1/me/driver-info' },
      callers: ['driver'],
      input: z.object({}),
      run: (_input, { caller }) => read(userOf(caller).userId),
    }),
    operation({
      ...writeOptions,
      name: 'meDriverInfoUpdate',
      versioned: OWN_PROFILE_VERSION,
      returns: { read: 'meDriverInfo' },
      summary: 'Update your driver profile',
      description: partialDescription,
      rest: { method: 'patch', path: '/v1/me/driver-info' },
      callers: ['driver'],
      input: z.object(profileInput),
      run: (profile, context) => update(userOf(context.caller).userId, profile, context),
    }),
  ];
}
