/**
 * A thousand persons in every area that stores personal data; a hundred of the persons are erased. An attacker has
 * everything but MASTER_KEY: the disk with its WAL, a standby or its archive, all rows, a backup, the logs and the
 * messages to Kafka. The attacker can read no personal data in any spelling. MASTER_KEY does not decrypt the data of
 * erased persons.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { pino } from 'pino';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../src/engines/embedded-postgres/start.js';
import { databaseText, messageText, decryptableText } from '../../support/checks/leaks.js';
import { spelledBelow, spelledIn, spellingsOf } from '../../support/checks/spellings.js';
import { runCli } from '../../support/processes/cli.js';
import { copyCluster, replay, shipWal, type ShippedWal } from '../../support/processes/standby.js';
import { query } from '../../support/worlds/database.js';
import { ORDER, STOP } from '../../support/worlds/orders.js';
import { MASTER_KEY, startTestService, type TestService } from '../../support/worlds/service.js';
import { openTables } from '../../support/worlds/tables.js';

const ORDERS = 300;
const QUEUED = 80;
const IMPORTED = 100;
const RECORDS = 60;
const IN_BOOK = 30;
const DRIVERS = 10;
const PLACES = 20;
const ERASED_ORDERS = 95;
const ERASED_DRIVERS = 5;

/** Texts that all persons share and nothing else contains, so a search for them finds any person. */
const STEMS = ['Zqxname', 'Kqxstreet', '5557790', 'qxmail.example'];
const WITNESS = 'Wqxitness';

const person = (n: number) => {
  const no = String(n).padStart(4, '0');
  return {
    name: `Zqxname${no} Zqxname`,
    phone: `+49 30 5557790${no}`,
    email: `zq${no}@qxmail.example`,
    street: `Kqxstreet${no} 7`,
  };
};

describe('stored data of a thousand persons (S3)', () => {
  let folder: string;
  let postgres: EmbeddedPostgres;
  let shipped: ShippedWal;
  let t: TestService;
  let tables: ReturnType<typeof openTables>;
  const logged: string[] = [];
  let next = 0;
  const nextPerson = () => person(next++);
  const nextStop = () => ({ ...STOP, ...nextPerson() });
  const some = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'thousand-'));
    const dataDir = join(folder, 'data');
    await (await startEmbeddedPostgres({ dataDir })).stop();
    await copyCluster(dataDir, join(folder, 'standby'));
    shipped = await shipWal(folder, dataDir);
    postgres = await startEmbeddedPostgres({ dataDir, settings: shipped.settings });
    t = await startTestService({
      databaseUrl: postgres.url,
      logger: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
    });
    tables = openTables(t);
  });
  after(async () => {
    await t?.stop();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const as = async (path: string, body?: unknown, method?: string) => {
    const { status, json, text } = await tables.as('client_admin', path, body, method);
    expect(status, `${path} ${text}`).to.be.within(200, 299);
    return json;
  };

  /** An order of each kind, also with personal data outside of its stops. */
  function order(index: number): object {
    const orderMembers = { note: `for ${nextPerson().name}`, delivery_instruction: 'ring at Zqxname' };
    return index % 3 === 0
      ? { ...ORDER, ...orderMembers, type: 'P2P', pickup: nextStop(), delivery: nextStop() }
      : { ...ORDER, ...orderMembers, delivery: nextStop() };
  }

  it('is readable in no file, row, backup, log or message, and is not decryptable after the erasure of a person', async () => {
    const orderIds: number[] = [];
    for (let made = 0; made < ORDERS; made += 50) {
      const { results } = await as('/orders/batch', { orders: some(50, () => order(made)) });
      orderIds.push(...(results as { order_id: number }[]).map(({ order_id }) => order_id));
    }
    const { async_id } = await as('/client/batchOrderCreateAsync', { orders: some(QUEUED, () => order(1)) });
    const header = 'order_ref,type,delivery.name,delivery.phone,delivery.street,delivery.city,delivery.country';
    const rows = some(IMPORTED, () => {
      const { name, phone, street } = nextPerson();
      return `Q-${next},D,${name},${phone},${street},Berlin,DE`;
    });
    const imported = await as('/orders/import', {
      file_id: await tables.upload([header, ...rows].join('\n'), 'client_admin'),
    });
    const columns = ['name', 'phone', 'email', 'street'].map((code) => ({ code, type: 'text', personal: true }));
    const dataset = await tables.make(columns);
    const records = some(RECORDS, () => Object.values(nextPerson()).join(','));
    const importResult = await tables.bring(
      dataset,
      await tables.upload(['name,phone,email,street', ...records].join('\n')),
    );
    expect(importResult.result, JSON.stringify(importResult)).to.include({ inserted: RECORDS });
    for (let count = 0; count < IN_BOOK; count++) {
      const { name, phone, street } = nextPerson();
      const address = { name, phone, street, city: 'Berlin', country: 'DE' };
      await as('/address-book', { kind: 'recipient', label: name, address, note: `ask for ${name}` });
    }
    const drivers: number[] = [];
    for (let count = 0; count < DRIVERS; count++) {
      const { name, phone, email } = nextPerson();
      const account = { name, phone, email, password: 'long enough password', role: 'driver' };
      drivers.push((await as('/users', account)).user.id as number);
      const signedIn = await t.api('/user/login', { body: { email, password: account.password } });
      const token = { token: `fcm-${name}`, platform: 'android' };
      const key = signedIn.json.access_token as string;
      expect((await t.api('/me/push-tokens/phone', { method: 'PUT', key, body: token })).status).to.equal(200);
    }
    for (let count = 0; count < PLACES; count++) {
      const { name, phone, street } = nextPerson();
      const address = { street, city: 'Berlin', country: 'DE' };
      const position = { latitude: 52.5, longitude: 13.4 };
      await as('/pois', {
        name: `Place ${count}`,
        category: 'depot',
        position,
        address,
        phone,
        note: `ask for ${name}`,
      });
    }
    await tables.ended(imported.job_id as string);
    for (let state = ''; state !== 'done';) state = (await as(`/client/async/${async_id as string}`)).status;
    expect(next).to.be.at.least(1_000);
    // Authorized users can read them, also in an export and in a search.
    expect((await tables.as('client_admin', '/orders/export')).text).to.contain('Zqxname0001');
    expect(JSON.stringify(await as('/orders/search?query=Zqxname0001'))).to.contain('Zqxname0001');
    expect(spelledIn(Buffer.from(await decryptableText(t.service)), STEMS)).to.not.deep.equal([]);

    // Orders of the first persons. Each erased order has one to three persons that no other order has.
    const erase = (subject: string) => as(`/privacy/subjects/${subject}/erase`, {});
    const gone = [
      ...orderIds.slice(0, ERASED_ORDERS).map((id) => `order-${id}`),
      ...drivers.slice(0, ERASED_DRIVERS).map((id) => `account-${id}`),
    ];
    for (let from = 0; from < gone.length; from += 5) await Promise.all(gone.slice(from, from + 5).map(erase));
    const openable = await decryptableText(t.service);
    expect([0, 1, 2, 60, 100].filter((n) => openable.includes(person(n).name))).to.deep.equal([]);
    expect(openable).to.contain(person(next - 1).name);

    const rowsText = Buffer.from(await databaseText(t.service));
    expect(spelledIn(rowsText, STEMS), 'rows').to.deep.equal([]);
    expect(spelledIn(Buffer.from(await messageText(t.service)), STEMS), 'messages of Kafka').to.deep.equal([]);
    expect(spelledIn(Buffer.from(logged.join('\n')), STEMS), 'logs').to.deep.equal([]);
    const backup = join(folder, 'backup');
    const env = { DATABASE_URL: postgres.url, MASTER_KEY, DATA_DIR: folder };
    const ran = await runCli('backup', ['create', backup], env);
    expect(ran.code, ran.stderr).to.equal(0);
    for (const file of ['log.ndjson.gz', 'keys.ndjson.gz'])
      expect(spelledIn(gunzipSync(await readFile(join(backup, file))), STEMS), file).to.deep.equal([]);

    // A control: the search must find this text, which is stored in a table in every spelling and is not personal data.
    await query(postgres.url, 'create table public.witness (content bytea)');
    for (const bytes of spellingsOf(WITNESS).values())
      await query(postgres.url, 'insert into public.witness values ($1)', [bytes]);
    await t.stop();
    await postgres.stop();
    await replay(join(folder, 'standby'), shipped);
    for (const place of ['data', 'standby', 'archive']) {
      const { found, bytes } = await spelledBelow(join(folder, place), [...STEMS, WITNESS]);
      console.log(`      ${next} persons; looked at ${(bytes / 1e6).toFixed()} MB of ${place}`);
      for (const spelling of spellingsOf(WITNESS).keys())
        expect(
          [...found].some((one) => one.startsWith(`${WITNESS} in ${spelling} `)),
          `${spelling} in ${place}`,
        ).to.equal(true);
      expect(
        [...found].filter((one) => !one.startsWith(WITNESS)),
        place,
      ).to.deep.equal([]);
    }
  });
});
