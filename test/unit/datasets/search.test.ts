/** The search index of records has a limited size per record, whatever the number of columns is. */
import { expect } from 'chai';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createBlindIndex } from '../../../src/engines/blind-index.js';
import { createBlindTrigrams } from '../../../src/engines/blind-trigrams.js';
import type { StoredEvent } from '../../../src/events/core/log.js';
import { RecordPut } from '../../../src/events/datasets/events.js';
import {
  recordTrigrams,
  searchScope,
  statementsOf,
  textsOf,
  trigramsOf,
} from '../../../src/projections/datasets/search.js';

const DATASET = 7;
/** Maximum number of trigrams of a record. */
const PER_RECORD = 4_000;
const COLUMNS = 200;

let next = 0;
/** Text with about as many different trigrams as letters. */
const longText = (length: number): string =>
  Array.from({ length }, () => String.fromCodePoint(0x4e00 + ((next++ * 7_919) % 20_011))).join('');
const columnsOf = (count: number, length: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`c${n}`, longText(length)]));

describe('the search index of records', () => {
  const index = createBlindTrigrams(createBlindIndex(Buffer.alloc(32, 1)));
  const scope = searchScope(DATASET);
  const indexed = (values: Record<string, unknown>, personal_values: Record<string, unknown> = {}) => {
    const found = recordTrigrams(index, { dataset_id: DATASET, values, personal_values } as never);
    const part = (kind: 'open' | 'personal') =>
      found[`${kind}_columns`].map((code, at) => {
        const ends = found[`${kind}_ends`];
        return [code, found[kind].slice(ends[at - 1] ?? 0, ends[at])] as const;
      });
    return { ...found, byColumn: new Map([...part('open'), ...part('personal')]) };
  };

  it('contains at most 4,000 trigrams of a record, and an equal share of each long column', () => {
    const { open, personal, byColumn } = indexed(columnsOf(COLUMNS / 2, 315), {
      ...Object.fromEntries(Object.entries(columnsOf(COLUMNS / 2, 315)).map(([code, text]) => [`p${code}`, text])),
    });
    expect(open.length + personal.length).to.equal(PER_RECORD);
    expect(byColumn.size).to.equal(COLUMNS);
    for (const [code, { length }] of byColumn) expect(length, code).to.equal(PER_RECORD / COLUMNS);
  });

  it('contains short columns completely, and long ones use the rest', () => {
    const long = { a: { street: longText(300), city: longText(300) }, z: longText(400) };
    const { byColumn } = indexed({ ...long, ...columnsOf(100, 5), number: 12_345 });
    for (const code of ['a', 'z'])
      expect(byColumn.get(code), code).to.have.length(trigramsOf(index, scope, long[code as 'a']).length);
    expect(byColumn.get('c99')).to.have.length(6);
    expect(byColumn.get('number')).to.deep.equal(trigramsOf(index, scope, 12_345));
  });

  it('computes no hashes beyond the limit', () => {
    let hashes = 0;
    const hash = createBlindIndex(Buffer.alloc(32, 1));
    const counting = createBlindTrigrams((name) => (hashes++, hash(name)));
    recordTrigrams(counting, { dataset_id: DATASET, values: columnsOf(COLUMNS, 315) });
    expect(hashes)
      .to.be.above(PER_RECORD / 2)
      .and.at.most(PER_RECORD);
  });

  it('is computed between other turns of the event loop, and is written in statements of limited size', async () => {
    const events = Array.from(
      { length: 30 },
      (_, n): StoredEvent =>
        ({
          id: `e${n}`,
          stream: `record-${n}`,
          type: RecordPut.type,
          data: { dataset_id: DATASET, values: columnsOf(COLUMNS, 315) },
          metadata: {},
        }) as unknown as StoredEvent,
    );
    let [turns, done] = [0, false];
    const turn = (): void => void (turns++, done || setImmediate(turn));
    setImmediate(turn);
    const keyRing = { existing: () => Promise.resolve(new Map()) };
    const texts = await textsOf(events, { types: EVENT_TYPES, keyRing, index } as never);
    done = true;
    expect(turns).to.be.above(2);
    const parts = [...statementsOf(texts)];
    expect(parts.flat()).to.deep.equal(texts);
    expect(parts.map(({ length }) => length)).to.deep.equal([25, 5]);
  });
});
