/**
 * The output of `pg_dump`, if it is installed and supports the server: no personal data, neither erased nor current.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { spelledIn, spellingsOf } from '../../support/checks/spellings.js';
import { skip } from '../../support/run-summary.js';
import { query } from '../../support/worlds/database.js';
import { ORDER, STOP } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

const run = promisify(execFile);
const ORDERS = 20;
const STEMS = ['Zqdname', 'Kqdstreet', '5557791', 'qdmail.example'];
const WITNESS = 'Wqditness';

/** The major version of `pg_dump` here; 0 if it is missing. */
const dumpVersion = async (): Promise<number> =>
  run('pg_dump', ['--version']).then(
    ({ stdout }) => Number(/ (\d+)/.exec(stdout)?.[1] ?? 0),
    () => 0,
  );

describe('dump of the database (S3)', () => {
  let t: TestService;
  before(async () => void (t = await startTestService()));
  after(() => t.stop());

  it('contains no person in any spelling', async function () {
    const [server] = await query<{ version: number }>(
      t.databaseUrl,
      `select current_setting('server_version_num')::int / 10000 as version`,
    );
    if ((await dumpVersion()) < server!.version) skip(this, `no pg_dump ${server!.version} or later`);
    const key = await signIns(t)('client_admin');
    const orders = Array.from({ length: ORDERS }, (_, index) => {
      const no = String(index).padStart(4, '0');
      return {
        ...ORDER,
        note: `for Zqdname${no}`,
        delivery: {
          ...STOP,
          name: `Zqdname${no} Zqdname`,
          phone: `+49 30 5557791${no}`,
          email: `zq${no}@qdmail.example`,
          street: `Kqdstreet${no} 7`,
        },
      };
    });
    const made = await t.api('/orders/batch', { key, body: { orders } });
    expect(made.status, made.text).to.be.within(200, 299);
    const first = (made.json.results as { order_id: number }[])[0]!.order_id;
    const erased = await t.api(`/privacy/subjects/order-${first}/erase`, { key, body: {} });
    expect(erased.status, erased.text).to.be.within(200, 299);

    await query(t.databaseUrl, 'create table public.witness (content bytea, said text)');
    for (const bytes of spellingsOf(WITNESS).values())
      await query(t.databaseUrl, 'insert into public.witness values ($1, $2)', [bytes, WITNESS]);
    const { stdout } = await run('pg_dump', ['--dbname', t.databaseUrl], {
      encoding: 'buffer',
      maxBuffer: 256 * 1024 ** 2,
    });
    // Shows that the search works. A dump writes bytes as hex, so the decoded bytes are searched, too.
    expect(spelledIn(stdout, [WITNESS])).to.include.members([`${WITNESS} in utf8`, `${WITNESS} in hex`]);
    const bytes = Buffer.concat(
      [...stdout.toString('latin1').matchAll(/\\\\x([0-9a-f]+)/g)].map(([, hex]) => Buffer.from(hex!, 'hex')),
    );
    expect(spelledIn(bytes, [WITNESS])).to.include.members([`${WITNESS} in utf8`, `${WITNESS} in utf16le`]);
    for (const content of [stdout, bytes]) expect(spelledIn(content, STEMS)).to.deep.equal([]);
  });
});
