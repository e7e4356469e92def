/** The rate limits apply across all processes of one database (issue 24, point 4). */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const READS = 20;

describe('limits of two processes on one database', () => {
  let a: TestService;
  let b: TestService;
  before(async () => {
    const env = { RATE_LIMIT_READ: String(READS) };
    a = await startTestService({ env });
    b = await startTestService({ databaseUrl: a.databaseUrl, seed: false, env });
  });
  after(async () => {
    await b?.stop();
    await a?.stop();
  });

  const reads = async (at: TestService, count: number, key?: string) => {
    const answers = await Promise.all(
      Array.from({ length: count }, () => at.read(a.demo.trackings[0]!, undefined, key === undefined ? {} : { key })),
    );
    return answers.filter(({ status }) => status === 429).length;
  };

  it('are shared: a client that used up a second in one process has no quota in the other', async () => {
    const refused = async () => {
      await sleep(1_100);
      await reads(a, READS);
      await sleep(300);
      // Half of the limit of a single process.
      return reads(b, READS / 2);
    };
    // A window is one second, and a slow machine may sometimes exceed it.
    await eventually(async () => (await refused()) === READS / 2, 'a second in which the other process refuses all');
  });

  it('are still separate for each client', async () => {
    await sleep(1_100);
    await reads(a, READS);
    await sleep(300);
    expect(await reads(b, READS / 2, a.demo.provider.key)).to.equal(0);
  });

  it('are restored a second later', async () => {
    await sleep(2_200);
    expect(await reads(b, READS / 2)).to.equal(0);
  });

  it('apply to stored data of unauthenticated clients: registrations of one network', async () => {
    const register = (at: TestService, n: number) =>
      at.api('/drivers/register', {
        body: {
          business_code: 'nowhere',
          email: `stranger${n}@example.com`,
          password: 'long enough password',
          name: 'Stranger',
        },
      });
    for (let n = 0; n < 12; n++) await register(a, n);
    await sleep(2_000);
    const answers: number[] = [];
    for (let n = 12; n < 22; n++) answers.push((await register(b, n)).status);
    expect(answers.filter((status) => status === 429)).to.have.length(2);
    expect(answers.at(-1)).to.equal(429);
  });
});
