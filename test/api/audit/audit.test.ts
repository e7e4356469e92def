/** Commands of an auditor and an operator at the command line. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROJECTIONS } from '../../../src/areas/index.js';
import { pino } from 'pino';
import { readConfig } from '../../../src/config.js';
import type { StoredEvent } from '../../../src/events/core/log.js';
import { hashOfKey } from '../../../src/engines/postgres/provider-keys.js';
import { createProviderQueries } from '../../../src/projections/providers/queries.js';
import type { Demo } from '../../../src/compose/demo/demo.js';
import type { Projection } from '../../../src/projections/core/projection.js';
import { timeline } from '../../../src/projections/trackings/read-model.js';
import { trackingId, trackingStream } from '../../../src/events/trackings/events.js';
import { startService } from '../../../src/compose/service.js';
import { call } from '../../support/clients/http.js';
import { runCli, runCliProcess, type Program, type CommandResult } from '../../support/processes/cli.js';
import { CAUSE, openTestCore, type TestCore } from '../../support/worlds/test-core.js';
import { CARRIER, retraction, scan } from '../../support/inputs/input-events.js';

const NUMBER = 'AUDIT1';
/** The recording clock, one minute after each push. */
const T = [
  '2026-05-01T10:00:00.000Z',
  '2026-05-01T10:01:00.000Z',
  '2026-05-01T10:02:00.000Z',
  '2026-05-01T10:03:00.000Z',
] as const;
const SCAN = randomUUID();

describe('command line of operators', () => {
  let core: TestCore;
  let clock = 0;
  let dataDir: string;
  const positions: string[] = [];

  const cli = (program: Program, ...args: string[]): Promise<CommandResult> => runCli(program, args, environment());
  const environment = () => ({
    DATABASE_URL: core.url,
    MASTER_KEY: core.masterKey.toString('hex'),
    DATA_DIR: dataDir,
    PORT: '8123',
  });
  const succeed = async (program: Program, ...args: string[]): Promise<CommandResult> => {
    const ran = await cli(program, ...args);
    expect(ran.code, ran.stderr).to.equal(0);
    return ran;
  };
  const timelineAt = async (at: string, ...args: string[]) =>
    JSON.parse((await succeed('audit', 'timeline', NUMBER, '--at', at, ...args)).stdout) as {
      subject: object;
      events: Record<string, unknown>[];
      current_status: string;
      retracted?: unknown[];
    };
  const codes = ({ events }: { events: Record<string, unknown>[] }) => events.map(({ status_code }) => status_code);

  /** The provider that owns a key. */
  const holderOf = async (key: string) =>
    (await createProviderQueries(core.engines.pool).byKeyHash(hashOfKey(key)!))?.provider.id;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'transport-cli-'));
    core = await openTestCore({ now: () => Date.parse(T[clock]!) });
    const subject = { tracking_number: NUMBER, order_id: 'ORDER7' };
    const pushes = [
      [
        scan('2026-05-01T08:00:00+02:00', 'picked_up', {
          eventId: SCAN,
          description: 'left with Jane',
          location: { city: 'Berlin', country: 'DE' },
        }),
      ],
      [scan('2026-05-01T09:30:00Z', 'out_for_delivery'), scan('2026-05-01T10:01:30Z', 'delivered')],
      [scan('2026-05-01T07:00:00Z', 'arrival_scan')], // late
      [retraction('2026-05-01T10:02:30Z', SCAN)],
    ];
    for (clock = 0; clock < pushes.length; clock++)
      positions.push((await core.commands.ingest(CARRIER, [{ subject, events: pushes[clock]! }], CAUSE)).position!);
    clock = 3;
  });
  after(async () => {
    await core?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  describe('audit timeline', () => {
    // No projection has run yet: all responses come from the log.
    it('shows the state known at a time, with late and retracted events', async () => {
      expect(codes(await timelineAt(T[0]))).to.deep.equal(['picked_up']);
      expect(codes(await timelineAt('2026-05-01T12:02:59.999+02:00'))).to.deep.equal([
        'picked_up',
        'arrival_scan',
        'out_for_delivery',
        'delivered',
      ]);
      const last = await timelineAt(T[3]);
      expect(codes(last)).to.deep.equal(['arrival_scan', 'out_for_delivery', 'delivered']);
      expect(last.current_status).to.equal('delivered');
    });

    it('evaluates future events as of that time', async () => {
      const then = await timelineAt(T[1]);
      expect(codes(then)).to.deep.equal(['picked_up', 'out_for_delivery', 'delivered']);
      expect(then.current_status).to.equal('out_for_delivery');
      expect(then.events[2]!['anomaly']).to.equal('in_the_future');
    });

    it('shows the state known at a position', async () => {
      for (const [index, count] of [1, 3, 4, 3].entries())
        expect((await timelineAt(positions[index]!)).events, `position ${index}`).to.have.length(count);
    });

    it('hides personal data, and shows it with --full', async () => {
      const open = await timelineAt(T[0]);
      expect(JSON.stringify(open)).not.to.match(/Jane|ORDER7/);
      const full = await timelineAt(T[0], '--full');
      expect(full.events[0]!['description']).to.equal('left with Jane');
      expect(full.subject).to.deep.equal({ tracking_number: NUMBER, order_id: 'ORDER7' });
      expect((await timelineAt(T[3], '--full')).retracted).to.have.length(1);
    });

    it('finds it by another identifier and any notation of the number, in any format', async () => {
      const byOrder = await succeed('audit', 'timeline', 'ORDER7', '--at', T[0], '--format', 'aftership');
      expect(JSON.parse(byOrder.stdout)).to.have.property('tracking_number', NUMBER);
      expect((await succeed('audit', 'timeline', 'audit-1', '--at', T[0])).stderr).to.match(
        new RegExp(`revision 1, position ${positions[0]}`),
      );
    });

    it('reports unknown input', async () => {
      const cases: [args: string[], code: number, says: RegExp][] = [
        [['NOSUCH', '--at', T[0]], 1, /No tracking has the number NOSUCH/],
        [
          [NUMBER, '--at', '2026-05-01T09:59:59Z'],
          1,
          /No event of AUDIT1 was recorded.*first event.*2026-05-01T10:00:00/,
        ],
        [[NUMBER, '--at', T[0], '--carrier', 'nobody'], 1, /nobody had no events.*test-carrier/],
        [[NUMBER, '--at', '9999999999999999999'], 1, /after the end of the log/],
        [[NUMBER], 2, /--at is missing/],
        [[NUMBER, '--at', 'yesterday'], 2, /RFC 3339/],
        [[NUMBER, '--at', T[0], '--format', 'fax'], 2, /format fax does not exist.*otep/],
        [[NUMBER, '--at', T[0], '--colour'], 2, /--colour/],
        [['--at', T[0]], 2, /missing required argument 'number'/],
      ];
      for (const [args, code, message] of cases) {
        const ran = await cli('audit', 'timeline', ...args);
        expect([ran.code, ran.stdout], args.join(' ')).to.deep.equal([code, '']);
        expect(ran.stderr)
          .to.match(message)
          .and.not.to.match(/\n\s+at /);
        if (code === 2) expect(ran.stderr).to.include('Usage:').and.to.include('audit -- timeline [options] <number>');
      }
    });
  });

  describe('audit export', () => {
    const lines = ({ stdout }: CommandResult) =>
      stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as StoredEvent);

    it('writes every event as it is stored, in log order', async () => {
      const exported = lines(await succeed('audit', 'export'));
      const { rows } = await core.engines.pool.query<Record<string, unknown>>(
        'select stream, revision, id, type, version, data, metadata from log.events order by position',
      );
      expect(exported.map(({ position: _position, ...event }) => event)).to.deep.equal(rows);
      expect(Object.keys(exported[0]!)).to.deep.equal([
        'position',
        'stream',
        'revision',
        'id',
        'type',
        'version',
        'data',
        'metadata',
      ]);
      expect(exported.at(-1)!.position).to.equal(positions.at(-1));
      const text = JSON.stringify(exported);
      expect(text).to.include('$sealed').and.not.to.include('Jane');
    });

    it('continues after a position, ends at one, and is limited to a stream', async () => {
      const all = lines(await succeed('audit', 'export'));
      const some = lines(await succeed('audit', 'export', '--from', positions[0]!, '--to', positions[2]!));
      expect(some)
        .to.deep.equal(all.filter(({ position }) => position > positions[0]! && position <= positions[2]!))
        .and.to.have.length(3);
      expect(lines(await succeed('audit', 'export', '--from', positions.at(-1)!))).to.deep.equal([]);
      const stream = trackingStream(trackingId({ kind: 'provider', id: CARRIER.id }, NUMBER, 0));
      expect(
        lines(await succeed('audit', 'export', '--stream', stream, '--from', positions[0]!, '--to', positions[2]!)),
      ).to.deep.equal(some);
      expect((await cli('audit', 'export', '--from', 'here')).code).to.equal(2);
    });

    it('ends without an error when the reader closes the pipe', async () => {
      const more = Array.from({ length: 400 }, (_, minute) =>
        scan(new Date(Date.UTC(2026, 5, 1, 0, minute)).toISOString(), 'arrival_scan', { description: 'x'.repeat(300) }),
      );
      await core.commands.ingest(CARRIER, [{ subject: { tracking_number: 'MANY' }, events: more }], CAUSE);
      const { code, stdout, stderr } = await runCliProcess('audit', ['export'], environment(), 1);
      expect([code, stderr]).to.deep.equal([0, '']);
      expect(JSON.parse(stdout.split('\n')[0]!)).to.have.property('type', 'TrackingOpened');
    });
  });

  describe('audit verify and rebuild', () => {
    it('report that all is equal', async () => {
      core.run();
      await core.caughtUp();
      const { stdout } = await succeed('audit', 'verify');
      expect(stdout)
        .to.match(/^timeline: \d+ events up to \d{19}, .* equal$/m)
        .and.to.match(/^providers: 0 events.* equal$/m);
      expect((await succeed('audit', 'rebuild', 'all')).stdout.match(/equal, replaced$/gm)).to.have.length(
        PROJECTIONS.length,
      );
    });

    it('find and repair direct changes of the database', async () => {
      await core.engines.pool.query(`update timeline.trackings set last_active = '1999' where number = $1`, [NUMBER]);
      for (const [args, message] of [
        [['verify'], '1 difference'],
        [['rebuild', 'timeline'], '1 difference, replaced'],
      ] as const) {
        const { code, stdout } = await cli('audit', ...args);
        expect(code, args.join(' ')).to.equal(3);
        expect(stdout)
          .to.match(/timeline\.trackings [0-9a-f-]{36}\n {2}live: .*1999.*\n {2}replayed: .*2026/)
          .and.to.include(message);
      }
      await succeed('audit', 'verify');
    });

    it('list omitted streams', async () => {
      const stream = trackingStream(randomUUID());
      await core.engines.log.append([
        {
          stream,
          expected: 'no-stream',
          events: [
            {
              id: randomUUID(),
              type: 'TrackingWriterGranted',
              version: 1,
              json: '{"provider":"x"}',
              metadata: { recorded_at: T[0] },
            },
          ],
        },
      ]);
      await core.caughtUp();
      expect((await succeed('audit', 'verify')).stdout).to.match(
        new RegExp(`timeline: ${stream} is skipped from \\d{19} on: .*TrackingOpened`),
      );
    });

    it('reject unknown arguments', async () => {
      for (const args of [['rebuild'], ['rebuild', 'nothing'], ['verify', 'all'], ['dance'], []])
        expect((await cli('audit', ...args)).code, args.join(' ')).to.equal(2);
      expect((await succeed('audit', '--help')).stdout)
        .to.include('Usage:')
        .and.to.match(/^ +rebuild .*<projection>/m);
      const nowhere = await runCli('audit', ['verify'], { DATA_DIR: join(dataDir, 'nothing') });
      expect(nowhere.code).to.equal(1);
      expect(nowhere.stderr).to.match(/nothing contains no database/);
      await stat(join(dataDir, 'nothing')).then(
        () => expect.fail('it was made'),
        () => undefined,
      );
      expect((await runCli('audit', ['verify'], { DATABASE_URL: 'somewhere' })).code).to.equal(2);
    });

    it('handle a read model of another version', async () => {
      const newer = { ...timeline, version: timeline.version + 1 } as unknown as Projection;
      await core.replay(newer, true);
      const { code, stdout } = await cli('audit', 'verify');
      expect([code, /timeline: .*another version/.test(stdout)]).to.deep.equal([3, true]);
      await core.replay(timeline as unknown as Projection, true);
    });
  });

  describe('admin provider', () => {
    const only = ({ stdout }: CommandResult): string => {
      expect(stdout).to.match(/^otp_[\w-]{43}\n$/);
      return stdout.trim();
    };

    it('adds one with a working key, with and without a running projector', async () => {
      const key = only(
        await succeed('admin', 'provider', 'add', 'acme', '--name', 'Acme', '--kind', 'locker', '--may-open'),
      );
      expect(await holderOf(key)).to.equal('acme');
      const alone = await openTestCore();
      try {
        only(
          await runCli('admin', ['provider', 'add', 'acme', '--name', 'Acme', '--kind', 'locker'], {
            DATABASE_URL: alone.url,
            MASTER_KEY: alone.masterKey.toString('hex'),
          }),
        );
        expect(
          (await alone.engines.pool.query('select id, kind, may_open from providers.providers')).rows,
        ).to.deep.equal([{ id: 'acme', kind: 'locker', may_open: false }]);
      } finally {
        await alone.close();
      }
    });

    it('rejects a second provider with the same id, and invalid providers', async () => {
      const again = await cli('admin', 'provider', 'add', 'acme', '--name', 'Other', '--kind', 'carrier');
      expect([again.code, again.stdout]).to.deep.equal([1, '']);
      expect(again.stderr).to.match(/already.*rotate/);
      for (const args of [
        ['Acme', '--name', 'A', '--kind', 'carrier'],
        ['b', '--kind', 'carrier'],
        ['b', '--name', 'B', '--kind', 'ship'],
        ['b', '--name', ' ', '--kind', 'carrier'],
        [],
      ]) {
        expect((await cli('admin', 'provider', 'add', ...args)).code, args.join(' ')).to.equal(2);
      }
      for (const act of ['rotate', 'revoke'])
        expect((await cli('admin', 'provider', act, 'nobody')).code, act).to.equal(1);
    });

    it('issues new keys with a grace period for old ones, and revokes all', async () => {
      const first = only(await succeed('admin', 'provider', 'rotate', 'acme', '--grace', '0s'));
      const second = only(await succeed('admin', 'provider', 'rotate', 'acme'));
      expect(await holderOf(first), 'in its grace').to.equal('acme');
      only(await succeed('admin', 'provider', 'rotate', 'acme', '--grace', '0s'));
      expect([await holderOf(first), await holderOf(second)]).to.deep.equal([undefined, undefined]);
      expect((await succeed('admin', 'provider', 'list')).stdout).to.equal('acme\tlocker\tmay open\t1 key\tAcme\n');
      expect((await succeed('admin', 'provider', 'codes', 'acme', 'UPS')).stderr).to.match(/^Done, position /);
      expect((await succeed('admin', 'provider', 'codes', 'acme', 'ups')).stderr).to.match(/^Nothing to change/);
      expect((await succeed('admin', 'provider', 'codes', 'acme', 'none')).stderr).to.match(/^Done, position /);
      const unknown = await cli('admin', 'provider', 'codes', 'acme', 'nosuchcarrier');
      expect([unknown.code, unknown.stderr]).to.satisfy(
        ([code, text]: [number, string]) => code === 2 && text.includes('an-post') && text.includes('usps'),
      );
      expect((await cli('admin', 'provider', 'codes', 'nobody', 'ups')).code).to.equal(1);
      expect((await succeed('admin', 'provider', 'network', 'acme', 'gs1')).stderr).to.match(/^Done, position /);
      expect((await succeed('admin', 'provider', 'network', 'acme', 'gs1')).stderr).to.match(/^Nothing to change/);
      expect((await succeed('admin', 'provider', 'list')).stdout).to.match(/\tAcme\tgs1\n$/);
      expect((await succeed('admin', 'provider', 'network', 'acme', 'none')).stderr).to.match(/^Done, position /);
      expect((await cli('admin', 'provider', 'network', 'acme', 'post')).code).to.equal(2);
      expect((await cli('admin', 'provider', 'network', 'unknown', 'upu')).code).to.equal(1);
      await succeed('admin', 'provider', 'revoke', 'acme');
      expect((await succeed('admin', 'provider', 'list')).stdout).to.include('0 keys');
      expect((await cli('admin', 'provider', 'rotate', 'acme', '--grace', 'soon')).code).to.equal(2);
    });

    it('grants a shipment to a provider that did not open it, and revokes the grant', async () => {
      const writers = async (number: string) =>
        (await core.queries.byIdentifier(number)).map((head) => head.writers).sort();
      await succeed('admin', 'provider', 'grant', 'acme', NUMBER.toLowerCase());
      expect(await writers(NUMBER)).to.deep.equal([['acme']]);
      expect((await succeed('admin', 'provider', 'grant', 'acme', NUMBER)).stderr).to.match(/Nothing to change/);
      await succeed('admin', 'provider', 'ungrant', 'acme', NUMBER);
      expect(await writers(NUMBER)).to.deep.equal([[]]);

      expect((await cli('admin', 'provider', 'grant', 'acme', 'FRESH')).stderr).to.match(/--owner creates it/);
      await core.commands.ingest(
        CARRIER,
        [{ subject: { tracking_number: 'FRESH' }, events: [scan(T[0], 'picked_up')] }],
        CAUSE,
      );
      await succeed('admin', 'provider', 'grant', 'acme', 'FRESH', '--owner', 'business:demo');
      // The tracking of the business, not that of the carrier.
      expect(await writers('FRESH')).to.deep.equal([[], ['acme']]);
      expect((await cli('admin', 'provider', 'ungrant', 'acme', 'FRESH')).stderr).to.match(
        /business:demo.*provider:test-carrier|provider:test-carrier.*business:demo/,
      );
      await succeed('admin', 'provider', 'ungrant', 'acme', 'FRESH', '--owner', 'business:demo');
      expect((await cli('admin', 'provider', 'grant', 'nobody', NUMBER)).stderr).to.match(
        /provider nobody does not exist/,
      );
      expect((await cli('admin', 'provider', 'grant', 'acme', NUMBER, '--owner', 'me')).code).to.equal(2);
    });
  });

  describe('seed', () => {
    it('writes demo.json for the configured address, and changes nothing the second time', async () => {
      const { stdout } = await succeed('seed');
      const file = join(dataDir, 'demo.json');
      expect(stdout.trim()).to.equal(file);
      const demo = JSON.parse(await readFile(file, 'utf8')) as Demo;
      expect(demo.base_url).to.equal('http://127.0.0.1:8123');
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
      expect(await holderOf(demo.provider.key)).to.equal(demo.provider.id);
      for (const number of demo.trackings) expect(await core.queries.byIdentifier(number), number).to.have.length(1);
      const head = await core.engines.log.head();
      await succeed('seed');
      expect(JSON.parse(await readFile(file, 'utf8'))).to.deep.equal(demo);
      expect(await core.engines.log.head()).to.equal(head);
      const moved = await runCli('seed', [], { ...environment(), BASE_URL: 'https://track.example/' });
      expect(moved.code).to.equal(0);
      expect((JSON.parse(await readFile(file, 'utf8')) as Demo).base_url).to.equal('https://track.example');
    });
  });

  describe('with the embedded database', function () {
    // Three commands, each a process, and three starts of the database.
    it('works next to the running service, and starts the database if the service does not run', async () => {
      const env = { DATA_DIR: join(dataDir, 'embedded'), PORT: '0' };
      const service = await startService({ config: readConfig(env), logger: pino({ level: 'silent' }) });
      try {
        const added = await runCliProcess(
          'admin',
          ['provider', 'add', 'beside', '--name', 'Beside', '--kind', 'carrier'],
          env,
        );
        expect(added.code, added.stderr).to.equal(0);
        const answer = await call(`${service.baseUrl}/api/v1/provider/status-mapping`, { key: added.stdout.trim() });
        expect(answer.status).to.equal(200);
      } finally {
        await service.stop();
      }
      const alone = await runCliProcess('admin', ['provider', 'list'], env);
      expect(alone.stdout, alone.stderr).to.equal('beside\tcarrier\tgiven only\t1 key\tBeside\n');
      expect((await runCliProcess('audit', ['verify'], env)).code).to.equal(0);
      await stat(join(env.DATA_DIR, 'postgres', 'postgres.url')).then(
        () => expect.fail('it still runs'),
        () => undefined,
      );
    });
  });
});
