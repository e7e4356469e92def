/** Methods of EasyPost: the services of carriers. A method code is the same in rates and in the list of carriers. */
import type { z } from 'zod';
import type { CarrierMethod, LabelFormat } from '../port.js';
import type { EasypostCall } from './account.js';
import type { EasypostClient } from './client.js';
import { carrierAccountsSchema, carriersSchema } from './objects.js';
import { ACCESS_REFUSALS } from './refusals.js';

export const FORMATS: readonly LabelFormat[] = ['pdf', 'png', 'zpl'];

/** EasyPost's own accounts at a carrier have other names than the carrier. */
const SAME_CARRIER: Readonly<Record<string, string>> = { upsdap: 'ups' };
/** Test mode always has this carrier, and does not list its carrier accounts. */
const TEST_CARRIERS: ReadonlySet<string> = new Set(['usps']);
/** The list of all carriers has about 170 kB. */
const MAX_BYTES = 4_194_304;

type Carriers = z.infer<typeof carriersSchema>['carriers'];

/** The name of a carrier as in the list of carriers: lower case without blanks, such as `dhlexpress`. */
export function carrierCodeOf(carrier: string): string {
  const code = carrier
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')
    .replace(/default$/, '');
  return SAME_CARRIER[code] ?? code;
}

/** Such as `usps.groundadvantage`. */
export const methodCodeOf = ({ carrier, service }: { readonly carrier: string; readonly service: string }): string =>
  `${carrierCodeOf(carrier)}.${service
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')}`;

/** Throws if EasyPost does not respond as expected. */
export async function readMethods(client: EasypostClient, call: EasypostCall): Promise<readonly CarrierMethod[]> {
  const request = { call, method: 'GET', refusals: ACCESS_REFUSALS, maxBytes: MAX_BYTES } as const;
  const [listed, carriers] = await Promise.all([
    client.send({ ...request, path: 'metadata/carriers', schema: carriersSchema }),
    call.settings.carriers ? new Set(call.settings.carriers) : carriersOf(client, call),
  ]);
  if (listed.is !== 'done') throw new Error(listed.is === 'not_done' ? listed.code : listed.cause);
  return toMethods(listed.result.carriers, carriers);
}

/** The carriers of the account. Only production keys may list them. */
async function carriersOf(client: EasypostClient, call: EasypostCall): Promise<ReadonlySet<string>> {
  const accounts = await client.send({
    call,
    method: 'GET',
    path: 'carrier_accounts',
    schema: carrierAccountsSchema,
    refusals: ACCESS_REFUSALS,
    maxBytes: MAX_BYTES,
  });
  if (accounts.is === 'unknown') throw new Error(accounts.cause);
  if (accounts.is === 'not_done') return TEST_CARRIERS;
  return new Set(accounts.result.map(({ type }) => carrierCodeOf(type.replace(/Account$/, ''))));
}

export function toMethods(listed: Carriers, carriers: ReadonlySet<string>): readonly CarrierMethod[] {
  const methods = listed
    .filter(({ name }) => carriers.has(carrierCodeOf(name)))
    .flatMap(({ name: carrier, human_readable: title, service_levels: levels }) =>
      levels.map(({ name: service, human_readable: serviceTitle }) => ({
        code: methodCodeOf({ carrier, service }),
        name: serviceTitle ?? service,
        carrier: title,
        formats: FORMATS,
      })),
    );
  return [...new Map(methods.map((method) => [method.code, method])).values()];
}
