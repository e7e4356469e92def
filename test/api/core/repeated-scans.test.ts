import { expect } from 'chai';
import { STATUS_CODES } from '../../../src/events/otep/codes.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { storedEvents } from '../../support/checks/stored-events.js';

/**
 * 500 events of a long journey: all codes, several at the same instant, some in other time zones, some with explicit
 * ids.
 */
const EVENTS = Array.from({ length: 500 }, (_, index) => {
  const { code } = STATUS_CODES[(index * 7) % STATUS_CODES.length]!;
  const more = {
    location: { code: `HUB-${index % 40}`, country: 'DE' },
    ...(index % 3 === 0 && { event_id: `https://carrier.example/events/${index}` }),
    ...(index % 5 === 0 && { description: `scan ${index}` }),
  };
  const made = event(code, Math.floor(index / 3), more);
  return index % 4 === 0 ? { ...made, occurred_at: (made['occurred_at'] as string).replace('.000Z', '+00:00') } : made;
});

/** The same order in every run. */
function shuffled<T>(items: readonly T[]): T[] {
  let seed = 42;
  const next = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  return items
    .map((item) => [next(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

describe('the same scans again (A3)', () => {
  let t: TestService;
  before(async () => void (t = await startTestService()));
  after(() => t.stop());

  const eventsOf = (json: { events: Record<string, unknown>[] }) =>
    json.events.map(({ recorded_at: _ours, ...withoutTime }) => withoutTime);

  it('are 500 duplicates after 500 accepted scans, also for another process that has never seen them', async () => {
    const number = newNumber();
    const first = await t.push(timelineOf(number, EVENTS));
    expect([first.json.accepted, first.json.duplicates, first.json.rejected]).to.deep.equal([500, 0, 0]);
    const before = await t.read(number, first, { key: t.demo.provider.key });
    const head = await t.service.engines.log.head();
    const other = await startTestService({ databaseUrl: t.databaseUrl, seed: false });
    try {
      for (const { push } of [t, other, other]) {
        const again = await push(timelineOf(number, EVENTS), { key: t.demo.provider.key });
        expect([again.status, again.json.accepted, again.json.duplicates, again.json.rejected]).to.deep.equal([
          200, 0, 500, 0,
        ]);
      }
      const more = await other.push(timelineOf(number, [...EVENTS.slice(0, 250), event('delivered', 500)]), {
        key: t.demo.provider.key,
      });
      expect([more.json.accepted, more.json.duplicates]).to.deep.equal([1, 250]);
    } finally {
      await other.stop();
    }
    expect(await storedEvents(t.service.engines.log, head)).to.have.length(1);
    expect(before.json.events).to.have.length(500);
  });

  it('give the same timeline in any order and any parts', async () => {
    const [one, two] = [newNumber(), newNumber()];
    const whole = await t.push(timelineOf(one, EVENTS));
    const pieces = shuffled(EVENTS);
    const parts = await Promise.all(
      [0, 1, 2, 3, 4].map((part) => t.push(timelineOf(two, pieces.slice(part * 100, part * 100 + 100)))),
    );
    expect(parts.map(({ json }) => json.accepted)).to.deep.equal([100, 100, 100, 100, 100]);
    const positions = parts
      .map((part) => [part.headers.get('x-event-position')!, part] as const)
      .sort(([a], [b]) => (a < b ? 1 : -1));
    for (const key of [undefined, t.demo.provider.key]) {
      const [first, second] = [
        (await t.read(one, whole, { key })).json,
        (await t.read(two, positions[0]![1], { key })).json,
      ];
      expect(eventsOf(second)).to.deep.equal(eventsOf(first));
      for (const member of ['current_status', 'current_phase', 'terminal_status', 'delivered'])
        expect(second[member]).to.equal(first[member]);
    }
  });

  it('are accepted once if pushed several times at once', async () => {
    const number = newNumber();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => t.push(timelineOf(number, EVENTS.slice(0, 100)))),
    );
    const sum = (member: string) => answers.reduce((total, { json }) => total + json[member], 0);
    expect([sum('accepted'), sum('duplicates'), sum('rejected')]).to.deep.equal([100, 700, 0]);
    for (const answer of answers) expect((await t.read(number, answer)).json.events).to.have.length(100);
  });
});
