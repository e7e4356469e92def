/**
 * Seeds the demo business: users, two providers with keys and some parcels in transit. Also writes a file from which
 * scripts read how to use them.
 */
import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDataFolder } from '../../engines/data-folder.js';
import { StartupError } from '../../engines/startup-error.js';
import type { Cause } from '../../commands/core/handle.js';
import { derivedId } from '../../events/otep/identity.js';
import { PROFILE, type SourceType } from '../../events/otep/model.js';
import { providerStream } from '../../events/providers/events.js';
import { trackingId, trackingStream } from '../../events/trackings/events.js';
import { instantOf } from '../../events/otep/time.js';
import { createProviderKeys } from '../../engines/postgres/provider-keys.js';
import type { Service } from '../service.js';
import { seedAddresses } from './addresses.js';
import { seedCarriers } from './carriers.js';
import { seedCatalogue } from './catalogue.js';
import { seedCustomers } from './customers.js';
import { FEDEX_STATUSES } from './fedex-statuses.js';
import { seedDay, type DemoDay } from './day.js';
import { seedOrders, type DemoOrders } from './orders.js';
import { seedPrices } from './prices.js';
import { seedWallets } from './wallets.js';
import { seedPeople, type DemoUsers } from './people.js';

const CAUSE: Cause = { correlationId: derivedId('seed'), actor: { kind: 'system', id: 'seed' }, channel: 'system' };
const WAIT_MS = 10_000;
const SEEDED_READ_MODELS = [
  'timeline',
  'providers',
  'accounts',
  'businesses',
  'orders',
  'assignments',
  'routes',
  'workers',
];
const DAY_READ_MODELS = [
  'warehouses',
  'fleets',
  'planning',
  'pois',
  'datasets',
  'records',
  'stock',
  'rate_cards',
  'default_cards',
  'addresses',
  'catalogue',
  'catalogue_categories',
  'carrier_accounts',
  'carrier_numbers',
];

const PROVIDERS: readonly { id: string; name: string; kind: SourceType; may_open: boolean }[] = [
  { id: 'demo-carrier', name: 'Demo Carrier', kind: 'carrier', may_open: true },
  { id: 'demo-courier', name: 'Demo Courier', kind: 'third_party_delivery', may_open: false },
];

/** Trackings that the business opens and assigns to the strict provider, which may not open any itself. */
const ASSIGNED_NUMBERS = ['DEMO-COURIER-0001', 'DEMO-COURIER-0002'];

export interface Demo extends Partial<DemoDay> {
  readonly base_url: string;
  readonly provider: { readonly id: string; readonly key: string };
  readonly strict_provider: { readonly id: string; readonly key: string };
  readonly users: DemoUsers;
  readonly orders: DemoOrders;
  readonly trackings: readonly string[];
}

function parseDemo(file: string, text: string): Demo {
  try {
    return JSON.parse(text) as Demo;
  } catch {
    throw new StartupError(
      `${file} is not valid JSON. Repair it, or move it away: the demo then gets new keys and passwords.`,
    );
  }
}

/**
 * Seeds the missing data and writes `dataDir/demo.json` (mode 0600). A second call changes only the address in the
 * file. `day`: also seed the data for planning a day.
 */
export async function seedDemo(
  service: Pick<Service, 'engines' | 'commands' | 'progress' | 'baseUrl'>,
  dataDir: string,
  { day = true }: { readonly day?: boolean } = {},
): Promise<Demo> {
  const file = join(dataDir, 'demo.json');
  const before = await readFile(file, 'utf8').then(
    (text) => parseDemo(file, text),
    () => undefined,
  );
  const { commands, engines, progress } = service;
  for (const { id, ...registration } of PROVIDERS) {
    await commands.providers(
      providerStream(id),
      { do: 'register', commandId: derivedId('seed', id), ...registration },
      CAUSE,
    );
  }
  await commands.providers(
    providerStream(PROVIDERS[0]!.id),
    { do: 'map', commandId: derivedId('seed', 'fedex'), mapping: FEDEX_STATUSES },
    CAUSE,
  );
  const numbers = ASSIGNED_NUMBERS.map((number) => number.replaceAll('-', ''));
  const seededUsers = await seedPeople(service, before?.users, CAUSE);
  const owner = { kind: 'business', id: String(seededUsers.businessId) } as const;
  for (const number of numbers) {
    const id = trackingId(owner, number, 0);
    const command = {
      kind: 'open',
      id,
      subject: { tracking_number: number },
      opening: { owner, number, generation: 0, profile: PROFILE },
      writers: [PROVIDERS[1]!.id],
    } as const;
    await commands.trackings(trackingStream(id), command, { ...CAUSE, business: owner.id });
  }
  await pushExample(commands.ingest);
  const orders = await seedOrders(
    service,
    { ...seededUsers, carrier: PROVIDERS[0]!.id },
    { ...CAUSE, business: owner.id },
  );
  const planned = day ? await seedDay(service, seededUsers, { ...CAUSE, business: owner.id }) : {};
  if (day) await seedPrices(service, seededUsers, { ...CAUSE, business: owner.id });
  if (day) await seedCarriers(service, seededUsers, { ...CAUSE, business: owner.id });
  if (day) {
    const book = { businessId: seededUsers.businessId, customerId: seededUsers.users.customer.id };
    await seedAddresses(service, book, { ...CAUSE, business: owner.id });
    await seedCatalogue(service, seededUsers, { ...CAUSE, business: owner.id });
  }
  if (day) await seedWallets(commands, seededUsers, { ...CAUSE, business: owner.id });
  if (day) await seedCustomers(service, seededUsers, { ...CAUSE, business: owner.id });
  const keys = createProviderKeys(engines.pool);
  const keyOf = async (id: string, known: string | undefined) =>
    known !== undefined && (await keys.holds(known)) ? known : keys.add(id);
  const demo: Demo = {
    base_url: service.baseUrl,
    provider: { id: PROVIDERS[0]!.id, key: await keyOf(PROVIDERS[0]!.id, before?.provider.key) },
    strict_provider: { id: PROVIDERS[1]!.id, key: await keyOf(PROVIDERS[1]!.id, before?.strict_provider.key) },
    users: seededUsers.users,
    ...planned,
    orders,
    trackings: [EXAMPLE, ...numbers],
  };
  const head = await engines.log.head();
  await Promise.all(
    [...SEEDED_READ_MODELS, ...(day ? DAY_READ_MODELS : [])].map((name) => progress.waitFor(name, head, WAIT_MS)),
  );
  await makeDataFolder(dataDir);
  const temporaryFile = `${file}.${randomUUID()}`;
  await writeFile(temporaryFile, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await rename(temporaryFile, file);
  return demo;
}

const EXAMPLE = 'DEMO0000001';

/** Pushes the events of one parcel in transit, so that the first read returns data. */
async function pushExample(ingest: Service['commands']['ingest']): Promise<void> {
  const event = (occurredAt: string, statusCode: string, city: string, country: string) => ({
    occurredAt,
    instant: instantOf(occurredAt)!,
    statusCode,
    statusFromRaw: false,
    location: { city, country },
    source: { type: 'carrier' as const },
    extensions: {},
  });
  const events = [
    event('2026-11-18T09:12:00+01:00', 'information_submitted', 'Hamburg', 'DE'),
    event('2026-11-18T16:40:00+01:00', 'picked_up', 'Hamburg', 'DE'),
    event('2026-11-19T02:05:00+01:00', 'arrival_scan', 'Hannover', 'DE'),
    event('2026-11-19T04:31:00+01:00', 'package_outbound', 'Hannover', 'DE'),
    event('2026-11-20T07:58:00+00:00', 'out_for_delivery', 'London', 'GB'),
  ];
  const pusher = { id: PROVIDERS[0]!.id, kind: PROVIDERS[0]!.kind, mayOpen: true };
  await ingest(pusher, [{ subject: { tracking_number: EXAMPLE }, events }], {
    ...CAUSE,
    actor: { kind: 'provider', id: pusher.id },
  });
}
