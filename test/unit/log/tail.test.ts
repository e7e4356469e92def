/** The in-memory end of the log: the events that readers can get from it, and when it drops events. */
import { expect } from 'chai';
import { Tail } from '../../../src/engines/postgres-log/tail.js';
import type { StoredEvent } from '../../../src/events/core/log.js';

const run = (stream: string, first: number, count: number): StoredEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    stream,
    revision: index,
    position: String(first + index).padStart(19, '0'),
    id: `${first + index}`,
    type: 'X',
    version: 1,
    data: {},
    metadata: {},
  }));
const ids = (events: readonly StoredEvent[] | undefined): string[] | undefined => events?.map(({ id }) => id);

describe('tail buffer of the log', () => {
  const add = (tail: Tail, stream: string, first: number, count: number): void =>
    tail.add({ stream, first: BigInt(first), length: count, events: run(stream, first, count) });

  it('returns a range as a whole or not at all', () => {
    const tail = new Tail();
    add(tail, 'order-1', 5, 3);
    expect(ids(tail.between(4n, 7n, undefined))).to.deep.equal(['5', '6', '7']);
    expect(ids(tail.between(5n, 6n, undefined))).to.deep.equal(['6']);
    expect(tail.between(3n, 7n, undefined)).to.equal(undefined);
    expect(tail.between(4n, 8n, undefined)).to.equal(undefined);
  });

  it('starts again if an append does not follow the previous one', () => {
    const tail = new Tail();
    add(tail, 'order-1', 5, 3);
    add(tail, 'order-1', 9, 2);
    expect(tail.between(4n, 7n, undefined)).to.equal(undefined);
    expect(ids(tail.between(8n, 10n, undefined))).to.deep.equal(['9', '10']);
  });

  it('filters by prefix, of an area or of any other form', () => {
    const tail = new Tail();
    add(tail, 'order-1', 1, 2);
    add(tail, 'tracking-a', 3, 1);
    add(tail, 'order-2', 4, 1);
    const between = (prefixes: string[]) => ids(tail.between(0n, 4n, prefixes));
    expect(between(['order-'])).to.deep.equal(['1', '2', '4']);
    expect(between(['tracking-', 'route-'])).to.deep.equal(['3']);
    expect(between(['route-'])).to.deep.equal([]);
    expect(between(['order-2'])).to.deep.equal(['4']);
    expect(between(['ord'])).to.deep.equal(['1', '2', '4']);
    expect(between([''])).to.deep.equal(['1', '2', '3', '4']);
    expect(ids(tail.between(3n, 4n, ['tracking-']))).to.deep.equal([]);
  });

  it('drops events for a background reader that all others have read', () => {
    const tail = new Tail();
    const prompt = tail.join(0n);
    tail.join(0n, { background: true });
    for (let first = 1; first <= 3_000; first += 1_000) add(tail, 'order-1', first, 1_000);
    expect(tail.between(0n, 3_000n, undefined)).to.have.length(3_000);
    prompt.at = 2_000n;
    tail.letGo();
    expect(tail.between(1_999n, 2_001n, undefined)).to.equal(undefined);
    expect(tail.between(2_000n, 3_000n, undefined)).to.have.length(1_000);
  });

  it('keeps events that a reader has not read yet, except for a reader that is too far behind', () => {
    const tail = new Tail();
    tail.join(0n);
    const near = tail.join(59_000n);
    for (let first = 1; first <= 60_000; first += 1_000) add(tail, 'order-1', first, 1_000);
    expect(tail.between(0n, 1n, undefined)).to.have.length(1);
    for (let first = 60_001; first <= 80_000; first += 1_000) add(tail, 'order-1', first, 1_000);
    expect(tail.between(0n, 1n, undefined)).to.equal(undefined);
    expect(tail.between(58_999n, 59_001n, undefined)).to.equal(undefined);
    expect(tail.between(59_000n, 80_000n, undefined)).to.have.length(21_000);
    near.at = 79_000n;
    add(tail, 'order-1', 80_001, 1_000);
    expect(tail.between(78_999n, 79_001n, undefined)).to.equal(undefined);
    expect(tail.between(79_000n, 81_000n, undefined)).to.have.length(2_000);
    near.at = 81_000n;
    expect(tail.between(79_000n, 81_000n, undefined)).to.have.length(2_000);
    tail.letGo();
    expect(tail.between(79_000n, 81_000n, undefined)).to.equal(undefined);
  });
});
