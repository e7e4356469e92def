/** One id of a producer is one event (N11): the refused ids of a document, and the names that the check queries. */
import { expect } from 'chai';
import type { ReadEvent } from '../../../src/commands/captures/outcomes.js';
import { createRecentNames } from '../../../src/commands/captures/recent-names.js';
import { createReuseCheck, type Freshness } from '../../../src/commands/captures/reuse-check.js';
import { assignedIds, recordedNames, reusedIds } from '../../../src/commands/captures/reuse.js';
import { contentName, idName } from '../../../src/events/captures/names.js';

const PROVIDER = 'carrier';
const FRESHNESS: Freshness = { isExact: true };

/** An event of another producer with these hashes, by the current and by the earlier rules. */
const event = (eventId: string, given: string, earlier = given): ReadEvent =>
  ({ eventId, pushed: { hashes: { given, earlier, former: earlier, foreign: [] } } }) as unknown as ReadEvent;

/** A check of these events against captures that recorded `known`; `asked` receives each list of names. */
function check(events: readonly ReadEvent[], known: readonly string[], asked: (readonly string[])[] = []) {
  const findReused = createReuseCheck({
    recorded(names) {
      asked.push(names);
      return Promise.resolve(new Set(known.filter((name) => names.includes(name))));
    },
    hashesOf: () => Promise.resolve([]),
  });
  return findReused(assignedIds(events, PROVIDER), PROVIDER, [], FRESHNESS);
}

describe('ids of captured events', () => {
  it('are accepted again in one document with the same content, and refused with another', () => {
    const ids = assignedIds([event('a', '1'), event('b', '1'), event('a', '2'), event('a', '1')], PROVIDER);
    expect([...reusedIds(ids, new Set())]).to.deep.equal([2]);
  });

  it('are refused if earlier captures recorded them with other content only', async () => {
    const known = [idName(PROVIDER, 'a'), contentName(PROVIDER, 'a', '1'), idName(PROVIDER, 'b')];
    const { reused } = await check([event('a', '1'), event('a', '2'), event('b', '1'), event('c', '1')], known);
    expect([...reused]).to.deep.equal([1, 2]);
  });

  it('are the same event by the hash of earlier rules', async () => {
    const known = [idName(PROVIDER, 'a'), contentName(PROVIDER, 'a', 'former')];
    const { reused } = await check([event('a', '1', 'former'), event('a', '2', 'former'), event('a', '1')], known);
    expect([...reused], 'the third has the content of the first').to.deep.equal([]);
  });

  it('need one name each in the query, and their contents only if they are known', async () => {
    const asked: string[][] = [];
    await check([event('a', '1'), event('b', '1'), event('a', '1')], [], asked);
    expect(asked).to.deep.equal([[idName(PROVIDER, 'a'), idName(PROVIDER, 'b')]]);
    await check([event('a', '1'), event('b', '1')], [idName(PROVIDER, 'b')], asked);
    expect(asked.at(-1)).to.deep.equal([contentName(PROVIDER, 'b', '1')]);
  });

  it('of this service, and hashes of the content, are no ids of a producer', () => {
    const own = { eventId: 'a', pushed: {} } as unknown as ReadEvent;
    expect(assignedIds([own, event('ni:///1', 'ni:///1'), { errors: [] }], PROVIDER)).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('are recorded with their current content, except those of rejected events', () => {
    const ids = assignedIds([event('a', '1', 'former'), event('b', '1')], PROVIDER);
    expect(recordedNames(ids, [{ outcome: 'accepted' }, { outcome: 'rejected' }])).to.deep.equal([
      idName(PROVIDER, 'a'),
      contentName(PROVIDER, 'a', '1'),
    ]);
  });

  it('that this process recorded are awaited until queries return them', () => {
    let queryable = '';
    const recent = createRecentNames((position) => position <= queryable);
    recent.note(['a', 'b'], '1');
    recent.note(['b'], '2');
    expect(recent.lastOf(['a', 'c'])).to.equal('1');
    expect(recent.lastOf(['a', 'b'])).to.equal('2');
    expect(recent.lastOf(['c'])).to.equal(undefined);
    queryable = '1';
    recent.note(
      Array.from({ length: 20_000 }, (_, index) => `n${index}`),
      '3',
    );
    expect(recent.lastOf(['a']), 'forgotten').to.equal(undefined);
    expect(recent.lastOf(['b', 'n1'])).to.equal('3');
    expect(recent.lastOf(['b'])).to.equal('2');
  });
});
