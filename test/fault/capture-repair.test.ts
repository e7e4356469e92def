/** A process dies between a capture and its trackings: the captured events are still recorded. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { trackingId, trackingStream } from '../../src/events/trackings/events.js';
import { eventually } from '../support/eventually.js';
import type { Task } from '../support/processes/capture-and-hang.js';
import { freshDatabase, query, type FreshDatabase } from '../support/worlds/database.js';
import { documentOf, newParcel, scan } from '../support/inputs/epcis-documents.js';
import type { Answer } from '../support/clients/http.js';
import { MASTER_KEY, startTestService, type TestService } from '../support/worlds/service.js';

const SCRIPT = fileURLToPath(new URL('../support/processes/capture-and-hang.js', import.meta.url));

/** Starts the process, and kills it after its last allowed write. */
async function captureAndDie(databaseUrl: string, task: Omit<Task, 'masterKey' | 'id'>): Promise<string> {
  const id = randomUUID();
  const child = spawn(process.execPath, [SCRIPT, databaseUrl, JSON.stringify({ ...task, id, masterKey: MASTER_KEY })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) if (line === 'hangs') break;
  child.kill('SIGKILL');
  expect((await exited)[1]).to.equal('SIGKILL');
  return id;
}

describe('EPCIS captures whose process dies', () => {
  let database: FreshDatabase;
  before(async () => void (database = await freshDatabase()));
  after(() => database.drop());

  const start = (minutesLater = 0): Promise<TestService> =>
    startTestService({ databaseUrl: database.url, now: () => Date.now() + minutesLater * 60_000 });
  const finished = async (t: TestService, id: string, key = t.demo.provider.key): Promise<Answer> => {
    const find = async () => {
      const job = await t.api(`/otep/epcis/capture/${id}`, { key });
      return job.json.running === false && job;
    };
    return eventually(find, 'the end of the capture');
  };

  for (const trackings of [0, 1]) {
    it(`are finished by the next process, after ${trackings} of 3 trackings`, async () => {
      const parcels = [newParcel(), newParcel(), newParcel()];
      const before = await start();
      await before.stop();
      const document = documentOf(
        ...parcels.map(({ urn }) => scan([urn], 'accepting', 8)),
        scan([parcels[0]!.urn], 'arriving', 9, { 'ex:note': 'kept' }),
      );
      const id = await captureAndDie(database.url, {
        provider: 'demo-carrier',
        mayOpen: true,
        behaviour: 'rollback',
        document,
        trackings,
      });
      const streams = () =>
        query<{ n: number }>(
          database.url,
          `select count(distinct stream)::int as n from log.events where metadata->>'$correlationId' = $1 and stream like 'tracking-%'`,
          [id],
        );
      expect((await streams())[0]!.n).to.equal(trackings);

      const t = await start(1);
      try {
        const job = await finished(t, id);
        expect(job.json).to.deep.include({ success: true, captureErrorBehaviour: 'rollback', errors: [] });
        expect((await streams())[0]!.n).to.equal(3);
        for (const { sscc } of parcels) expect((await t.read(sscc)).json.events[0].status_code).to.equal('picked_up');
        const { json } = await t.read(parcels[0]!.sscc, undefined, { key: t.demo.provider.key });
        expect(json.events[1]['x-epcis']).to.deep.include({ 'ex:note': 'kept' });
        // Events that were written before are not written again, and a repeated push contains only duplicates.
        expect(json.events).to.have.length(2);
        expect((await t.api('/otep/ingest/epcis', { key: t.demo.provider.key, body: document })).json).to.include({
          accepted: 0,
          duplicates: 4,
        });
        const causes = await query<{ cause: string }>(
          database.url,
          `select distinct metadata->>'$causationId' as cause from log.events where metadata->>'$correlationId' = $1 and stream like 'tracking-%'`,
          [id],
        );
        const [captured] = await query<{ id: string }>(
          database.url,
          `select id from log.events where stream = $1 and type = 'EpcisCaptured'`,
          [`capture-${id}`],
        );
        expect(causes.map(({ cause }) => cause)).to.deep.equal([captured!.id]);
      } finally {
        await t.stop();
      }
    });
  }

  it('are complete under rollback, also if the permission to write was revoked in between', async () => {
    const before = await start();
    const numbers = before.demo.trackings.slice(1);
    await before.stop();
    const document = documentOf(...numbers.map((number) => scan([`urn:otep:parcel:obj:${number}`], 'departing', 8)));
    const id = await captureAndDie(database.url, {
      provider: 'demo-courier',
      mayOpen: false,
      behaviour: 'rollback',
      document,
      trackings: 1,
    });

    const revoking = await start();
    for (const number of numbers) {
      const tracking = trackingId({ kind: 'business', id: 'demo' }, number, 0);
      await revoking.service.commands.trackings(
        trackingStream(tracking),
        { kind: 'revoke', id: tracking, provider: 'demo-courier' },
        { correlationId: randomUUID(), actor: { kind: 'system', id: 'test' }, channel: 'system' },
      );
    }
    await revoking.stop();

    const t = await start(1);
    try {
      expect((await finished(t, id, t.demo.strict_provider.key)).json).to.include({ success: true });
      for (const number of numbers)
        expect(
          (await t.read(number)).json.events.map(({ status_code }: { status_code: string }) => status_code),
          number,
        ).to.deep.equal(['package_outbound']);
    } finally {
      await t.stop();
    }
  });
});
