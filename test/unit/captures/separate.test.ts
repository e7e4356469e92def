/** Which events of a document are encrypted together, and how they are split into appends. */
import { expect } from 'chai';
import type { ReadEvent } from '../../../src/commands/captures/outcomes.js';
import { inAppends, separateEvents } from '../../../src/commands/captures/separate.js';
import type { Targets } from '../../../src/commands/trackings/targets.js';
import { APPEND_BYTES, fromBodies } from '../../../src/events/captures/text.js';

/** Events of a document, each with the trackings that receive it, and a note. */
function separate(list: readonly { readonly trackings: readonly string[]; readonly note?: string }[]) {
  const events = list.map(
    ({ note = '' }, index) =>
      ({
        eventId: `e${index}`,
        received: { event: { note, index } },
        pushed: { scan: {}, hashes: { given: `h${index}` } },
      }) as unknown as ReadEvent,
  );
  const groups = list.map((_, index) => ({ push: { subject: {}, events: [] }, members: [{ index, path: '' }] }));
  const targets = list.map(({ trackings }) => trackings.map((id) => ({ id })) as unknown as Targets);
  const outcomes = list.map(() => ({ outcome: 'accepted' }) as const);
  return separateEvents('c1', 'acme', { events, groups, targets, outcomes }, (tracking) => tracking === 'erased');
}
const indexesOf = (all: ReturnType<typeof separate>) => all.map(({ data }) => data.events.map(({ index }) => index));

describe('separately stored events', () => {
  it('of one tracking are stored together in the order of the document, under its key', () => {
    const all = separate([{ trackings: ['a'] }, { trackings: ['b'] }, { trackings: ['a'] }]);
    expect(indexesOf(all)).to.deep.equal([[0, 2], [1]]);
    expect(all.map(({ key, data }) => [key, data.trackings])).to.deep.equal([
      ['a', ['a']],
      ['b', ['b']],
    ]);
    expect(fromBodies(all[0]!.data.body!)).to.deep.equal([
      { event: { note: '', index: 0 } },
      { event: { note: '', index: 2 } },
    ]);
  });

  it('of several trackings are stored alone under their own key, or under the key of an erased tracking', () => {
    const all = separate([{ trackings: ['a', 'b'] }, { trackings: ['a', 'b'] }, { trackings: ['a', 'erased'] }]);
    expect(indexesOf(all)).to.deep.equal([[0], [1], [2]]);
    expect(all.map(({ key }) => key)).to.deep.equal(['capture-c1-0', 'capture-c1-1', 'erased']);
  });

  it('are at most 16 KiB together, because a query decrypts all of them', () => {
    const note = 'n'.repeat(6_000);
    const all = separate([
      ...Array.from({ length: 5 }, () => ({ trackings: ['a'], note })),
      { trackings: ['a'], note: 'n'.repeat(20_000) },
    ]);
    expect(indexesOf(all)).to.deep.equal([[0, 1], [2, 3], [4], [5]]);
  });

  it('are split into appends that every engine accepts', () => {
    const note = 'n'.repeat(100_000);
    const appends = inAppends(separate(Array.from({ length: 12 }, (_, index) => ({ trackings: [`t${index}`], note }))));
    expect(appends.map((events) => events.length)).to.deep.equal([5, 5, 2]);
    for (const events of appends) expect(events.reduce((sum, { size }) => sum + size, 0)).to.be.at.most(APPEND_BYTES);
    expect(Math.min(...appends.flat().map(({ size }) => size))).to.be.above(100_000);
  });
});
