/**
 * The service for tests, in this process, on a separate database, with the demo business; and helpers that most tests
 * use.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino, type Logger } from 'pino';
import { seedDemo, type Demo } from '../../../src/compose/demo/demo.js';
import { readConfig } from '../../../src/config.js';
import { providerStream } from '../../../src/events/providers/events.js';
import type { SourceType } from '../../../src/events/otep/model.js';
import { createProviderKeys } from '../../../src/engines/postgres/provider-keys.js';
import type { Format } from '../../../src/serializers/format.js';
import { startService, type Service, type ServiceOptions } from '../../../src/compose/service.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import { checkpoints } from '../../../src/projections/core/checkpoints.js';
import { expectCaughtUp } from '../checks/caught-up.js';
import { FEW_CONNECTIONS, freshDatabase, templateDatabase, type FreshDatabase } from './database.js';
import { call, type Answer, type CallOptions } from '../clients/http.js';
import { logServerOf } from './test-log.js';
import { WAIT_LIMIT_MS } from '../eventually.js';

/** The same for every process of a test: 32 bytes. */
export const MASTER_KEY = '42'.repeat(32);

export interface TestServiceOptions {
  /** Environment variables in addition to the defaults. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** An existing database; absent: a new one, which is dropped at the end. */
  readonly databaseUrl?: string;
  /** Absent: all formats of the registry. */
  readonly formats?: readonly Format[];
  readonly additionalAreas?: ServiceOptions['additionalAreas'];
  /** Without it there are no providers. */
  readonly seed?: boolean;
  /** Absent: nothing is logged. */
  readonly logger?: Logger;
  readonly prepare?: ServiceOptions['prepare'];
}

export interface TestService {
  readonly service: Service;
  readonly url: string;
  /** The clock of the service: milliseconds since 1970. */
  readonly now: () => number;
  readonly databaseUrl: string;
  /** Only when seeded. */
  readonly demo: Demo;
  /** Makes a call to a path below /api/v1. */
  readonly api: (path: string, options?: CallOptions) => Promise<Answer>;
  /** Makes a push with the demo provider's key, or another one. */
  readonly push: (document: unknown, options?: CallOptions) => Promise<Answer>;
  /** Makes a read that includes all events up to the position of `after`, with `key` or anonymously. */
  readonly read: (
    number: string,
    after?: Answer,
    options?: CallOptions & { readonly query?: string },
  ) => Promise<Answer>;
  /** Adds a provider and returns its key. */
  readonly addProvider: (
    id: string,
    rights?: { readonly mayOpen?: boolean; readonly kind?: SourceType },
  ) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export async function startTestService({
  env = {},
  now,
  databaseUrl,
  formats,
  additionalAreas,
  seed = true,
  logger = pino({ level: 'silent' }),
  prepare,
}: TestServiceOptions = {}): Promise<TestService> {
  // A copied database does not contain the events of an external log.
  const isCopied = databaseUrl === undefined && !process.env['TEST_LOG'] && !env['EVENTSTORE_URL'];
  // A test that sets the clock needs a demo business that was created with that clock.
  const seeded = isCopied && seed && !now ? await (demoBusiness ??= seedOnce()) : undefined;
  const template = isCopied ? (seeded ?? (await (noBusiness ??= migrateOnce()))) : undefined;
  const database = databaseUrl === undefined ? await freshDatabase(template?.database) : undefined;
  const dataDir = await mkdtemp(join(tmpdir(), 'transport-api-'));
  const url = databaseUrl ?? database!.url;
  const eventStore = await logServerOf(url);
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    ...FEW_CONNECTIONS,
    MASTER_KEY,
    ...(eventStore && { EVENTSTORE_URL: eventStore.url }),
    ...env,
  });
  const service = await startService({
    config,
    logger,
    ...(now && { now }),
    ...(formats && { formats }),
    ...(additionalAreas && { additionalAreas }),
    ...(prepare && { prepare }),
  });
  if (seeded && config.roles.includes('projector')) await untilReady(service.baseUrl);
  const demo = seeded
    ? { ...seeded.demo, base_url: service.baseUrl }
    : seed
      ? await seedDemo(service, dataDir, { day: false })
      : undefined;
  const api = (path: string, options?: CallOptions) => call(`${service.baseUrl}/api/v1${path}`, options);
  return {
    service,
    url: service.baseUrl,
    now: now ?? Date.now,
    databaseUrl: url,
    demo: demo!,
    api,
    push: (document, options) => api('/otep/ingest', { key: demo?.provider.key, body: document, ...options }),
    read: (number, after, { query = '', ...options } = {}) =>
      api(`/otep/trackings/${encodeURIComponent(number)}${query}`, {
        ...options,
        headers: { ...positionOf(after), ...options.headers },
      }),
    addProvider: (id, rights) => addProvider(service, id, rights),
    async stop() {
      await service.stop();
      if (database) eventStore?.stop();
      await rm(dataDir, { recursive: true, force: true });
      await database?.drop();
    },
  };
}

/** A database with the demo business, to be copied: created once per run, and removed at its end. */
let demoBusiness: Promise<{ readonly database: FreshDatabase; readonly demo: Demo }> | undefined;

const seedOnce = () =>
  templateDatabase('demo', async (database) => JSON.stringify(await seedDatabase(database.url))).then(
    ({ database, note }) => ({ database, demo: JSON.parse(note) as Demo }),
  );

/** The same without a business: all tables and an empty log. */
let noBusiness: Promise<{ readonly database: FreshDatabase }> | undefined;

const migrateOnce = () =>
  templateDatabase('empty', async ({ url }) => {
    const migrating = await startTestService({ databaseUrl: url, seed: false });
    await migrating.stop();
    return 'migrated';
  });

/** Waits until the service holds its leases. A service that seeds has already waited for its read models. */
async function untilReady(url: string): Promise<void> {
  while ((await call(`${url}/health/ready`)).status !== 200) await sleep(10);
}

/** Returns the header that makes a read include a write. */
export function positionOf(after: Pick<Answer, 'headers'> | undefined): Record<string, string> {
  const position = after?.headers.get('x-event-position');
  return position === null || position === undefined ? {} : { 'x-event-position': position };
}

async function addProvider(
  { commands, engines, progress }: Service,
  id: string,
  { mayOpen = true, kind = 'carrier' }: { mayOpen?: boolean; kind?: SourceType } = {},
): Promise<string> {
  const cause = {
    correlationId: derivedId('test', id),
    actor: { kind: 'system', id: 'test' },
    channel: 'system',
  } as const;
  const { position } = await commands.providers(
    providerStream(id),
    { do: 'register', commandId: derivedId('test', id), name: id, kind, may_open: mayOpen },
    cause,
  );
  if (position !== undefined) await progress.waitFor('providers', position, WAIT_LIMIT_MS);
  return createProviderKeys(engines.pool).add(id);
}

/** Migrates an empty database and seeds the demo business, like `npm run seed` next to a projecting process. */
export async function seedDatabase(databaseUrl: string): Promise<Demo> {
  const seeding = await startTestService({ databaseUrl });
  // Otherwise every copy would contain unprocessed events.
  await expectCaughtUp(
    seeding.service,
    (await checkpoints(seeding.service.engines.pool)).map(({ name }) => name),
  );
  await seeding.stop();
  return seeding.demo;
}
