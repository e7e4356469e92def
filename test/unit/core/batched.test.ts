/** Concurrent loads share a query. */
import { expect } from 'chai';
import { batched, batchedById } from '../../../src/sql/batched.js';

describe('batched queries', () => {
  it('load the keys of the same moment with one query, and later keys with another query', async () => {
    const queries: (readonly number[])[] = [];
    const load = batched((keys: readonly number[]) => {
      queries.push(keys);
      return Promise.resolve(keys.map((key) => key * 10));
    });
    expect(await Promise.all([load(1), load(2), load(1)])).to.deep.equal([10, 20, 10]);
    expect(await load(1), 'nothing is cached').to.equal(10);
    expect(queries).to.deep.equal([[1, 2, 1], [1]]);
  });

  it('are limited in size', async () => {
    const sizes: number[] = [];
    const load = batched((keys: readonly number[]) => {
      sizes.push(keys.length);
      return Promise.resolve(keys);
    });
    await Promise.all(Array.from({ length: 250 }, (_, key) => load(key)));
    expect(sizes).to.deep.equal([100, 100, 50]);
  });

  it('return each row to its own caller, whatever the order of the rows', async () => {
    const load = batchedById((ids) => Promise.resolve([...ids].reverse().flatMap((id) => (id === 3 ? [] : [{ id }]))));
    expect(await Promise.all([load(1), load(2), load(3), load(2)])).to.deep.equal([
      { id: 1 },
      { id: 2 },
      undefined,
      { id: 2 },
    ]);
  });

  it('reject every caller if the query fails', async () => {
    const load = batched(() => Promise.reject(new Error('no database')));
    const outcomes = await Promise.allSettled([load(1), load(2)]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
  });
});
