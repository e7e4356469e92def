/**
 * Credentials of carrier accounts, with an adapter that needs some: stored encrypted before the event, never returned,
 * replaced together with the event, and opened only for their own account.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { z } from 'zod';
import { accountOperations, type AccountCalls } from '../../../src/api/areas/carrier-accounts/accounts.js';
import { changingOperations } from '../../../src/api/areas/carrier-accounts/changing.js';
import { createCarrierSecrets } from '../../../src/api/areas/carrier-accounts/secrets.js';
import { ApiError } from '../../../src/api/core/errors.js';
import type { Context, Operation } from '../../../src/api/core/operation.js';
import { createCarrierCalls } from '../../../src/areas/wiring/carrier-calls.js';
import { carrierAccounts as decider } from '../../../src/commands/carrier-accounts/decider.js';
import { createHandler } from '../../../src/commands/core/handler.js';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import type { Outcome } from '../../../src/engines/outside/adapter.js';
import type { CarrierAdapter, CarrierCall } from '../../../src/engines/outside/carriers/port.js';
import { createCircuits } from '../../../src/engines/outside/circuits.js';
import { createCarrierClaims } from '../../../src/engines/postgres/carrier-claims.js';
import { createCredentials, type Credentials } from '../../../src/engines/postgres/credentials.js';
import { createIds } from '../../../src/engines/postgres/ids.js';
import { vaultOf } from '../../../src/engines/vault.js';
import { createNumberQueries } from '../../../src/projections/carrier-accounts/numbers.js';
import {
  createCarrierAccountQueries,
  type CarrierAccountQueries,
} from '../../../src/projections/carrier-accounts/queries.js';
import { CARRIER_ACCOUNT_IDS } from '../../../src/projections/carrier-accounts/read-model.js';
import { createDatabase } from '../../../src/projections/core/database.js';
import { storedEvents } from '../../support/checks/stored-events.js';
import { CAUSE, openTestCore, type TestCore } from '../../support/worlds/test-core.js';

const KEY = 'api_key_of_the_business_1234';
const SECRET = 'signing secret of the business';
const CREDENTIALS = { api_key: KEY, webhook_secret: SECRET };

describe('credentials of carrier accounts', () => {
  let core: TestCore;
  let credentials: Credentials;
  let queries: CarrierAccountQueries;
  let calls: ReturnType<typeof createCarrierCalls>;
  let operations: ReadonlyMap<string, Operation>;
  /** The outcome of the next test, and the calls that the adapter got. */
  let outcome: Outcome<Record<string, never>> = { is: 'done', result: {} };
  const seen: CarrierCall[] = [];
  let time = 0;

  const adapter = {
    id: 'remote',
    name: 'Remote',
    settings: z.strictObject({ mode: z.enum(['test', 'live']).default('test') }),
    credentials: z.strictObject({ api_key: z.string().min(1), webhook_secret: z.string().optional() }),
    test: (call: CarrierCall) => {
      seen.push(call);
      return Promise.resolve(outcome);
    },
    methods: () => Promise.resolve([{ code: 'ground', name: 'Ground', carrier: 'Remote', formats: ['pdf' as const] }]),
    inbound: { verify: () => true, messageId: () => undefined, events: () => [] },
  } as unknown as CarrierAdapter;

  before(async () => {
    core = await openTestCore();
    core.run();
    const { log, pool, keyRing } = core.engines;
    await createIds(pool).prepare(CARRIER_ACCOUNT_IDS.name);
    credentials = createCredentials(pool, vaultOf(Buffer.alloc(32, 7)));
    queries = createCarrierAccountQueries(createDatabase(pool), keyRing);
    const circuits = createCircuits({ openMs: 1_000, now: () => time });
    calls = createCarrierCalls({ carriers: new Map([['remote', adapter]]), credentials, circuits });
    const api: AccountCalls = {
      ...calls,
      expectAvailable: (account) => {
        if (calls.waitOf(account) > 0) throw new ApiError('CARRIER_UNAVAILABLE');
      },
    };
    const shared = {
      handle: createHandler({ decider, log, types: EVENT_TYPES, keyRing, now: Date.now }),
      queries,
      secrets: createCarrierSecrets(credentials),
      calls: api,
      timeoutMs: 1_000,
    };
    const all = [
      ...accountOperations({
        ...shared,
        numbers: createNumberQueries(pool),
        webhookUrlOf: (name, token) => `https://service.example/${name}/${token}`,
      }),
      ...changingOperations({
        ...shared,
        adapterIds: ['remote'],
        expectMarkupCard: () => Promise.resolve(),
        claims: createCarrierClaims(pool),
        setRange: () => Promise.resolve(undefined),
      }),
    ];
    operations = new Map(all.map((one) => [one.name, one]));
  });
  after(() => core.close());
  beforeEach(() => void (outcome = { is: 'done', result: {} }));

  let nextId = 0;
  async function run(name: string, input: object, commandId: string = randomUUID(), business = 1) {
    const one = operations.get(name)!;
    const context = {
      caller: { role: 'client_admin', userId: 1, businessId: business },
      cause: { ...CAUSE, business: String(business) },
      commandId,
      header: () => undefined,
      wrote: () => undefined,
      reserveIds: () => Promise.resolve([(nextId += 1)]),
    } as unknown as Context;
    const result = (await one.run(one.input.parse(input) as never, context)) as Record<string, unknown>;
    await core.caughtUp();
    return result;
  }
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: ApiError) => error.code,
    );
  const created = async (given: object = CREDENTIALS) =>
    (await run('carrierAccountCreate', { adapter: 'remote', name: 'Remote', credentials: given }))[
      'carrier_account_id'
    ] as number;
  const shown = async (id: number) =>
    (await run('carrierAccount', { carrier_account_id: id }))['carrier_account'] as Record<string, unknown>;
  const storedCount = async () => (await core.engines.pool.query('select from access.credentials')).rowCount;
  const callOf = async (id: number) => {
    const account = (await queries.byId(id, 1))!;
    return calls.callFor(account, AbortSignal.timeout(1_000));
  };

  it('are stored encrypted, and shown by their last four characters', async () => {
    const id = await created();
    const account = await shown(id);
    expect(account['credentials']).to.deep.equal({ is_set: true, last4: '1234' });
    expect(account['webhook_url']).to.match(/^https:\/\/service\.example\/remote\/[0-9a-f]{32}$/);
    expect((await callOf(id))!.credentials).to.deep.equal(CREDENTIALS);
    const log = JSON.stringify(await storedEvents(core.engines.log));
    const rows = await core.engines.pool.query('select sealed from access.credentials');
    for (const text of [log, JSON.stringify(account), ...rows.rows.map(({ sealed }) => sealed.toString('latin1'))])
      for (const secret of [KEY, SECRET]) expect(text).not.to.include(secret);
    const token = (account['webhook_url'] as string).split('/').at(-1)!;
    expect((await queries.byToken('remote', token))?.id).to.equal(id);
    expect(await queries.byToken('sheet', token)).to.equal(undefined);
  });

  it('that cannot be decrypted count as missing, and can be set again', async () => {
    const id = await created();
    const { credential_id } = (await queries.byId(id, 1))!;
    await core.engines.pool.query(
      'update access.credentials set sealed = set_byte(sealed, 20, (get_byte(sealed, 20) + 1) % 256) where id = $1',
      [credential_id],
    );
    expect((await shown(id))['credentials']).to.deep.equal({ is_set: false, last4: null });
    await run('carrierAccountUpdate', { carrier_account_id: id, credentials: CREDENTIALS });
    expect((await shown(id))['credentials']).to.deep.equal({ is_set: true, last4: '1234' });
  });

  it('are required by the schema of the adapter', async () => {
    expect(await refusal(created({}))).to.equal('INVALID_INPUT');
    expect(await refusal(created({ ...CREDENTIALS, password: 'x' }))).to.equal('INVALID_INPUT');
  });

  it('are not stored if the carrier rejects them or does not respond', async () => {
    const before = await storedCount();
    outcome = { is: 'not_done', code: 'UNAUTHORIZED', final: true };
    expect(await refusal(created())).to.equal('CARRIER_REFUSED');
    outcome = { is: 'unknown', cause: 'timeout' };
    expect(await refusal(created())).to.equal('CARRIER_UNAVAILABLE');
    expect(await storedCount()).to.equal(before);
  });

  it('are merged, replaced together with the event, and destroyed later', async () => {
    const id = await created();
    const first = (await queries.byId(id, 1))!.credential_id!;
    const commandId = randomUUID();
    const change = { carrier_account_id: id, credentials: { api_key: 'second_key_of_the_business_5678' } };
    for (let time = 1; time <= 2; time++) await run('carrierAccountUpdate', change, commandId);
    expect(seen.at(-1)!.credentials).to.deep.equal({ ...CREDENTIALS, api_key: change.credentials.api_key });
    expect((await callOf(id))!.credentials).to.deep.equal({ ...CREDENTIALS, api_key: change.credentials.api_key });
    expect((await shown(id))['credentials']).to.deep.equal({ is_set: true, last4: '5678' });
    await run('carrierAccountUpdate', { carrier_account_id: id, credentials: { webhook_secret: null } });
    expect((await callOf(id))!.credentials).to.deep.equal({ api_key: change.credentials.api_key });
    const { rows } = await core.engines.pool.query('select replaced_at from access.credentials where id = $1', [first]);
    expect(rows[0].replaced_at).to.be.instanceOf(Date);
    const current = (await queries.byId(id, 1))!.credential_id;
    const kept = await core.engines.pool.query('select replaced_at from access.credentials where id = $1', [current]);
    expect(kept.rows[0].replaced_at).to.equal(null);
  });

  it('keep their values if the carrier rejects new ones', async () => {
    const id = await created();
    const before = await storedCount();
    outcome = { is: 'not_done', code: 'UNAUTHORIZED', final: true };
    const change = { carrier_account_id: id, credentials: { api_key: 'wrong' } };
    expect(await refusal(run('carrierAccountUpdate', change))).to.equal('CARRIER_REFUSED');
    expect(await storedCount()).to.equal(before);
    expect((await callOf(id))!.credentials).to.deep.equal(CREDENTIALS);
  });

  it('of another business are refused by the vault, also if the rows are swapped', async () => {
    const mine = await created();
    const other = await run(
      'carrierAccountCreate',
      { adapter: 'remote', name: 'Other', credentials: { api_key: 'key_of_another_business' } },
      randomUUID(),
      2,
    );
    const { pool } = core.engines;
    const ids = [
      (await queries.byId(mine, 1))!.credential_id!,
      (await queries.byId(other['carrier_account_id'] as number, 2))!.credential_id!,
    ];
    const { rows } = await pool.query('select id, sealed from access.credentials where id = any ($1)', [ids]);
    for (const [index, { id }] of rows.entries())
      await pool.query('update access.credentials set sealed = $2 where id = $1', [id, rows[1 - index].sealed]);
    expect(await callOf(mine), 'nothing can be sent').to.equal(undefined);
    const tested = await run('carrierAccountTest', { carrier_account_id: mine });
    expect(tested).to.include({ result: false, code: 'CREDENTIALS_MISSING' });
  });

  it('are not sent while the circuit of the account is open', async () => {
    const id = await created();
    const test = () => run('carrierAccountTest', { carrier_account_id: id });
    outcome = { is: 'unknown', cause: 'connection' };
    for (let failure = 1; failure <= 5; failure++)
      expect(await test()).to.include({ result: false, code: 'CARRIER_UNAVAILABLE' });
    const { length } = seen;
    expect(await refusal(test())).to.equal('CARRIER_UNAVAILABLE');
    expect(seen, 'no further call').to.have.length(length);
    time = 2_000;
    outcome = { is: 'done', result: {} };
    expect(await test()).to.include({ result: true, code: null });
  });

  it('report a rejection with the text of the carrier', async () => {
    const id = await created();
    outcome = { is: 'not_done', code: 'UNAUTHORIZED', text: 'This key is disabled.', final: true };
    expect(await run('carrierAccountTest', { carrier_account_id: id })).to.deep.equal({
      result: false,
      code: 'UNAUTHORIZED',
      message: 'This key is disabled.',
    });
  });
});
