import { expect } from 'chai';
import { createGroupCommit, type Grouped } from '../../../src/engines/postgres-log/group-commit.js';
import type { AppendOutcome } from '../../../src/events/core/log.js';

const append = (stream: string, length = 1): Grouped => ({ stream, length });

/** A writer whose calls end when the test ends them. */
function heldWriter() {
  const calls: { readonly streams: string[]; readonly end: (error?: Error) => void }[] = [];
  const write = (appends: readonly Grouped[]): Promise<readonly AppendOutcome[]> =>
    new Promise((resolve, reject) => {
      const streams = appends.map(({ stream }) => stream);
      calls.push({
        streams,
        end: (error) =>
          error
            ? reject(error)
            : resolve(
                streams.map((stream) => ({ outcome: 'appended', revision: Number(stream.slice(1)), position: stream })),
              ),
      });
    });
  return { calls, write };
}
const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('group commit', () => {
  it('writes concurrent appends together, and returns each its own result', async () => {
    const { calls, write } = heldWriter();
    const { commit } = createGroupCommit({ write });
    const all = ['s2', 's1', 's3'].map((stream) => commit(append(stream)));
    await turn();
    expect(
      calls.map(({ streams }) => streams),
      'by name',
    ).to.deep.equal([['s1', 's2', 's3']]);
    calls[0]!.end();
    expect((await Promise.all(all)).map((outcome) => outcome.outcome === 'appended' && outcome.position)).to.deep.equal(
      ['s2', 's1', 's3'],
    );
  });

  it('keeps the order of concurrent appends that depend on each other', async () => {
    const { calls, write } = heldWriter();
    const { commit } = createGroupCommit({ write });
    const all = [
      commit(append('s9')),
      ...['s2', 's1', 's3'].map((stream) => commit(append(stream), { inOrder: true })),
    ];
    await turn();
    expect(calls.map(({ streams }) => streams)).to.deep.equal([['s9', 's2', 's1', 's3']]);
    calls[0]!.end();
    await Promise.all(all);
  });

  it('collects appends while it writes', async () => {
    const { calls, write } = heldWriter();
    const { commit } = createGroupCommit({ write });
    const all = [commit(append('s1'))];
    await turn();
    all.push(...['s2', 's3'].map((stream) => commit(append(stream))));
    await turn();
    expect(calls).to.have.length(1);
    calls[0]!.end();
    await turn();
    expect(calls[1]!.streams).to.deep.equal(['s2', 's3']);
    calls[1]!.end();
    await Promise.all(all);
  });

  it('never has a stream twice in a call, and keeps the order of its appends', async () => {
    const { calls, write } = heldWriter();
    const { commit } = createGroupCommit({ write });
    const done: string[] = [];
    const all = ['s1', 's2', 's1', 's3', 's1'].map((stream, index) =>
      commit(append(stream)).then(() => done.push(`${stream} ${index}`)),
    );
    await turn();
    all.push(commit(append('s4')).then(() => done.push('s4 5')));
    await turn();
    for (let at = 0; at < calls.length; at++) {
      calls[at]!.end();
      await turn();
    }
    await Promise.all(all);
    expect(calls.map(({ streams }) => streams)).to.deep.equal([['s1', 's2', 's3'], ['s1', 's4'], ['s1']]);
    expect(done.filter((one) => one.startsWith('s1'))).to.deep.equal(['s1 0', 's1 2', 's1 4']);
  });

  it('limits the size of a call, but accepts a single append of any size', async () => {
    const { calls, write } = heldWriter();
    const { commit } = createGroupCommit({ write, maxEvents: 10 });
    const all = [commit(append('s1', 6)), commit(append('s2', 6)), commit(append('s3', 50)), commit(append('s4', 4))];
    await turn();
    for (let at = 0; at < calls.length; at++) {
      calls[at]!.end();
      await turn();
    }
    await Promise.all(all);
    expect(calls.map(({ streams }) => streams)).to.deep.equal([['s1', 's4'], ['s2'], ['s3']]);
  });

  it('reports a failed call to all its appends, and continues with the next', async () => {
    const { calls, write } = heldWriter();
    const { commit } = createGroupCommit({ write });
    const lost = Promise.allSettled([commit(append('s1')), commit(append('s2'))]);
    await turn();
    const next = commit(append('s1'));
    calls[0]!.end(new Error('gone'));
    expect((await lost).map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    await turn();
    calls[1]!.end();
    expect(await next).to.include({ outcome: 'appended' });
  });

  it('reports whether calls follow each other most of the time', async () => {
    const { calls, write } = heldWriter();
    let now = 7;
    const { commit, isPressed } = createGroupCommit({ write, now: () => now });
    expect(isPressed(), 'nothing came yet').to.equal(false);
    const all = [commit(append('s1'))];
    await turn();
    now += 1_000;
    expect(isPressed(), 'one alone, however long the disk takes').to.equal(false);
    all.push(commit(append('s2')));
    calls[0]!.end();
    await turn();
    now += 49;
    expect(isPressed(), 'one behind the other').to.equal(false);
    now += 1;
    expect(isPressed(), 'for 50 ms').to.equal(true);
    calls[1]!.end();
    await Promise.all(all);
    await turn();
    void commit(append('s3'));
    await turn();
    now += 1_000;
    expect(isPressed(), 'the next says neither that it goes on nor that it ended').to.equal(true);
    calls[2]!.end();
    await turn();
    now += 1;
    expect(isPressed(), 'nothing came after it').to.equal(false);
  });

  it('leaves no append waiting, in any order of arrival', async () => {
    let open = 0;
    let maxConcurrent = 0;
    const write = async (appends: readonly Grouped[]): Promise<readonly AppendOutcome[]> => {
      maxConcurrent = Math.max(maxConcurrent, (open += 1));
      await turn();
      open -= 1;
      return appends.map(({ stream }) => ({ outcome: 'appended', revision: 0, position: stream }));
    };
    const { commit } = createGroupCommit({ write, maxEvents: 5 });
    const all: Promise<AppendOutcome>[] = [];
    for (let at = 0; at < 500; at++) {
      all.push(commit(append(`s${(at * 7) % 11}`, 1 + (at % 7))));
      if (at % 13 === 0) await turn();
    }
    expect((await Promise.all(all)).every(({ outcome }) => outcome === 'appended')).to.equal(true);
    expect(maxConcurrent, 'calls under way at once').to.equal(1);
  });
});
