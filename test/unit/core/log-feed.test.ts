/** One reader of the log serves all followers: no follower misses or repeats an event, whenever it starts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createLogFeed, type LogNews } from '../../../src/api/core/log-feed.js';
import type { Batch, EventLog, Position, StoredEvent } from '../../../src/events/core/log.js';

/** A log of events without content. */
function shortLog() {
  const events: StoredEvent[] = [];
  let wake = (): void => undefined;
  let grown = new Promise<void>((resolve) => (wake = resolve));
  const last = (): Position => String(events.length);
  return {
    append() {
      events.push({ position: String(events.length + 1), metadata: { recorded_at: '2026-01-01' } } as never);
      wake();
      grown = new Promise((resolve) => (wake = resolve));
    },
    log: {
      head: async () => last(),
      async *subscribe(from: Position): AsyncGenerator<Batch> {
        for (let at = Number(from); ;) {
          const next = grown;
          const found = events.slice(at);
          at = events.length;
          if (found.length > 0) yield { events: found, position: String(at), caughtUp: true };
          else await next;
        }
      },
    } as unknown as EventLog,
  };
}

function openFeed() {
  const { log, append } = shortLog();
  const held: (() => void)[] = [];
  const feed = createLogFeed<string>({
    log,
    now: () => Date.parse('2026-01-01'),
    prefixes: [],
    /** Missed events resolve at once; others wait until the test releases them. */
    async resolve(events, _position, wanted, isMissed) {
      if (!isMissed) await new Promise<void>((resolve) => held.push(resolve));
      const news = events.map(({ position }) => position).join(' ');
      return new Map([...wanted].map((key) => [key, news]));
    },
  });
  const stop = new AbortController();
  const got = new Map<string, string[]>();
  return {
    append,
    feed,
    got,
    stop: () => stop.abort(),
    /** Resolves when the reader is waiting for `resolve`. */
    async holding() {
      while (held.length === 0) await sleep(1);
    },
    release: () => held.shift()!(),
    async follow(key: string, name: string, after?: Position): Promise<Position> {
      const { position, news } = await feed.listen(key, stop.signal, after);
      const mine: string[] = [];
      got.set(name, mine);
      void (async () => {
        for await (const one of news) mine.push((one as LogNews<string>).news);
      })();
      return position;
    },
  };
}

describe('followers of the log', () => {
  it('live 1: get each event once, also if they join while others are being notified', async () => {
    const { append, follow, holding, release, got, stop } = openFeed();
    append();
    await follow('a', 'early');
    append();
    await holding();
    for (const key of ['a', 'b']) {
      expect(await follow(key, `late ${key}`)).to.equal('2');
      expect(await follow(key, `late ${key}, from before`, '1')).to.equal('1');
    }
    release();
    append();
    await holding();
    release();
    await sleep(5);
    stop();
    expect(Object.fromEntries(got)).to.deep.equal({
      early: ['2', '3'],
      'late a': ['3'],
      'late a, from before': ['2', '3'],
      'late b': ['3'],
      'late b, from before': ['2', '3'],
    });
  });

  it('get events that are not in the log after those of the log', async () => {
    const { append, feed, follow, holding, release, got, stop } = openFeed();
    append();
    await follow('one', 'one');
    append();
    await holding();
    const published = feed.publish('one', (position) => `published at ${position}`);
    await sleep(5);
    expect(got.get('one')).to.deep.equal([]);
    release();
    await published;
    await sleep(5);
    stop();
    expect(got.get('one')).to.deep.equal(['2', 'published at 2']);
  });
});
