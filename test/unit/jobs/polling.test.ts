/** Cost of watching jobs: none without watchers, one statement for all watchers, and never two statements at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createJobPolling } from '../../../src/api/areas/jobs/polling.js';
import type { StoredJob } from '../../../src/engines/postgres/jobs.js';

describe('watching jobs', () => {
  const job = (id: string) => ({ id }) as StoredJob;

  /** A store that has all jobs but `gone`, and responds when the test lets it. */
  function openStore() {
    const asked: (readonly string[])[] = [];
    let answering: () => Promise<unknown> = () => Promise.resolve();
    const lookAgain = createJobPolling({
      async byIds(ids) {
        asked.push(ids);
        await answering();
        return ids.filter((id) => id !== 'gone').map(job);
      },
    });
    return { asked, lookAgain, answerAfter: (until: () => Promise<unknown>) => (answering = until) };
  }

  it('runs one query for a thousand watchers of three jobs, and none without watchers', async () => {
    const { asked, lookAgain } = openStore();
    const ids = Array.from({ length: 1_000 }, (_, n) => ['a', 'b', 'gone'][n % 3]!);
    const seen = await Promise.all(ids.map(lookAgain));
    expect(seen.map((one) => one?.id ?? 'gone')).to.deep.equal(ids);
    expect(asked).to.deep.equal([['a', 'b', 'gone']]);
    await sleep(400);
    expect(asked).to.have.length(1);
  });

  it('runs one query at a time: later callers get the result of the next', async () => {
    const { asked, lookAgain, answerAfter } = openStore();
    let go: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (go = resolve));
    answerAfter(() => gone);
    const first = lookAgain('a');
    while (asked.length === 0) await sleep(10);
    const later = Promise.all([lookAgain('a'), lookAgain('b')]);
    await sleep(400);
    expect(asked).to.deep.equal([['a']]);
    go();
    expect([await first, await later]).to.deep.equal([job('a'), [job('a'), job('b')]]);
    expect(asked).to.deep.equal([['a'], ['a', 'b']]);
  });

  it('reports a failure to its callers, and queries again for the next', async () => {
    const { lookAgain, answerAfter } = openStore();
    answerAfter(() => Promise.reject(new Error('away')));
    const failed = await Promise.allSettled([lookAgain('a'), lookAgain('b')]);
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    answerAfter(() => Promise.resolve());
    expect(await lookAgain('a')).to.deep.equal(job('a'));
  });
});
