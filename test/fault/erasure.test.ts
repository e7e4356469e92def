/** Erasures whose process is killed: another process finishes each, and no personal data is left. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { erasureStream } from '../../src/events/privacy/events.js';
import { decryptableText } from '../support/checks/leaks.js';
import { call } from '../support/clients/http.js';
import { endServiceProcesses, SHORT_LEASES, startServiceProcess } from '../support/processes/service-process.js';
import { STOP } from '../support/worlds/orders.js';
import { startTestService, type TestService } from '../support/worlds/service.js';
import { signIns } from '../support/worlds/users.js';

const PEOPLE = 20;
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1);
/** About the duration of all erasures together. */
const SPREAD_MS = 400;

describe('erasures whose process is killed', () => {
  let t: TestService;
  let dataDir: string;
  before(async () => {
    t = await startTestService({ env: SHORT_LEASES });
    dataDir = await mkdtemp(join(tmpdir(), 'transport-erasing-'));
  });
  after(async () => {
    await endServiceProcesses();
    await t.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const types = async (subject: string) =>
    (await t.service.engines.log.readMany([erasureStream(subject)]))
      .get(erasureStream(subject))
      ?.map(({ type }) => type) ?? [];

  for (let round = 1; round <= ROUNDS; round++)
    it(`erasure 2: killed while ${PEOPLE} run: each ends like an undisturbed one (${round})`, async () => {
      const key = await signIns(t)('client_admin');
      const child = await startServiceProcess({ dataDir, databaseUrl: t.databaseUrl });
      const marker = (n: number) => `GONE-${round}-${n}-`;
      const subjects: string[] = [];
      for (let n = 0; n < PEOPLE; n++) {
        const body = {
          type: 'D',
          delivery: { ...STOP, name: marker(n) },
          note: marker(n),
          packages: [{ weight_kg: 1 }],
        };
        const { json, text } = await t.api('/client/orderCreate', { key, body });
        expect(json.order_id, text).to.be.a('number');
        subjects.push(`order-${json.order_id}`);
      }
      const erase = (url: string, subject: string) =>
        call(`${url}/api/v1/privacy/subjects/${subject}/erase`, { key, body: {} });
      const requests = subjects.map(async (subject) => {
        await sleep(Math.random() * SPREAD_MS);
        return erase(child.url, subject).then(
          ({ status }) => status,
          () => 'cut',
        );
      });
      const beginning = async () =>
        (await Promise.all(subjects.map(types))).filter((events) => events.length > 0).length;
      while ((await beginning()) < PEOPLE / 5) await sleep(2);
      await child.end('SIGKILL');
      const answers = await Promise.all(requests);
      expect(answers, 'the kill came in the midst').to.include('cut');
      // The living process finishes erasures that had started; the others are requested again.
      const started = await beginning();
      for (const [index, subject] of subjects.entries())
        if (answers[index] === 'cut' && (await types(subject)).length === 0)
          expect((await erase(t.url, subject)).status).to.equal(200);
      for (let tries = 0; tries < 600; tries++) {
        if ((await Promise.all(subjects.map(types))).every((events) => events.includes('KeysDestroyed'))) break;
        await sleep(100);
      }
      console.log(`      ${answers.filter((one) => one === 200).length} answered, ${started} begun, of ${PEOPLE}`);
      for (const subject of subjects)
        expect(await types(subject), subject).to.deep.equal(['SubjectErased', 'KeysDestroyed']);
      const remainingText = await decryptableText(t.service);
      expect(subjects.filter((_, n) => remainingText.includes(marker(n)))).to.deep.equal([]);
    });
});
