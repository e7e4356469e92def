import { expect } from 'chai';
import { streamFilter } from '../../../src/engines/eventstore/filter.js';
import { Tail } from '../../../src/engines/eventstore/tail.js';
import type { StoredEvent } from '../../../src/events/core/log.js';

const at = (n: number): string => String(n).padStart(8, '0');
const event = (n: number, stream = 'a-1', json = '{}'): StoredEvent => ({
  id: String(n),
  type: 'Noted',
  version: 1,
  data: {},
  json,
  metadata: {},
  stream,
  revision: n,
  position: at(n),
});
const idsBehind = (tail: Tail, from: number, prefixes?: string[], limit = 10_000): string[] =>
  tail.eventsAfter(at(from), streamFilter(prefixes), limit).events.map(({ id }) => id);

describe('tail buffer of a log in EventStoreDB', () => {
  it('returns to each follower the events after its own position, up to a limit', () => {
    const tail = new Tail(at(0));
    for (let n = 1; n <= 9; n++) tail.add(event(n, n % 3 === 0 ? 'b-1' : 'a-1'));
    expect(idsBehind(tail, 0)).to.deep.equal(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
    expect(idsBehind(tail, 3, ['b-'])).to.deep.equal(['6', '9']);
    expect(tail.eventsAfter(at(0), streamFilter(['a-']), 3)).to.deep.include({ position: at(4) });
    expect(tail.eventsAfter(at(0), streamFilter(['c-']), 3)).to.deep.equal({ events: [], position: at(9) });
    expect(tail.eventsAfter(at(0), streamFilter(['b']), 10).events, 'a prefix that is not an area').to.have.length(3);
    tail.pass(at(12));
    expect(tail.eventsAfter(at(9), streamFilter(['a-']), 3)).to.deep.equal({ events: [], position: at(12) });
    expect(tail.eventsAfter(at(20), streamFilter(), 3), 'a follower keeps a position beyond the end').to.deep.equal({
      events: [],
      position: at(20),
    });
  });

  it('keeps the newest events, and reports followers that are too far behind', () => {
    const tail = new Tail(at(0));
    for (let n = 1; n <= 10_000; n++) tail.add(event(n));
    expect(tail.holds(at(0))).to.equal(false);
    expect(tail.holds(at(10_000 - 4_096))).to.equal(true);
    expect(idsBehind(tail, 10_000 - 4_096)).to.have.length(4_096);
    const first = Array.from({ length: 10_001 }, (_, n) => n).find((n) => tail.holds(at(n)))!;
    expect(idsBehind(tail, first), 'all events after the first position that it holds').to.have.length(10_000 - first);
  });

  it('keeps fewer large events, and at least the last one', () => {
    const tail = new Tail(at(0));
    for (let n = 1; n <= 40; n++) tail.add(event(n, 'a-1', 'x'.repeat(1024 * 1024)));
    expect(tail.holds(at(10))).to.equal(false);
    expect(idsBehind(tail, 39)).to.deep.equal(['40']);
  });

  it('stops readers at an event that cannot be decoded, after the previous ones', () => {
    const tail = new Tail(at(0));
    tail.add(event(1));
    tail.add({ stream: 'a-2', position: at(2), error: new Error('strange') });
    tail.add(event(3, 'b-1'));
    expect(tail.eventsAfter(at(0), streamFilter(['a-']), 10)).to.deep.include({ position: at(1) });
    expect(() => tail.eventsAfter(at(1), streamFilter(['a-']), 10)).to.throw('strange');
    expect(idsBehind(tail, 1, ['b-'])).to.deep.equal(['3']);
  });
});
