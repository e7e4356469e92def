/** Loaded bytes are kept up to a total size, and concurrent callers share one load. */
import { expect } from 'chai';
import { createByteCache } from '../../../src/api/core/byte-cache.js';

describe('byte cache', () => {
  const loads: string[] = [];
  beforeEach(() => void loads.splice(0));
  const loader = (key: string, bytes: number) => async () => {
    loads.push(key);
    return Promise.resolve(Buffer.alloc(bytes));
  };

  it('loads a key once, also for concurrent callers', async () => {
    const cache = createByteCache(100);
    const load = loader('a', 10);
    await Promise.all([cache.get('a', load), cache.get('a', load), cache.get('a', load)]);
    await cache.get('a', load);
    expect(loads).to.deep.equal(['a']);
  });

  it('removes the least recently used entries when the total size exceeds the limit', async () => {
    const cache = createByteCache(100);
    const read = (key: string, bytes = 40) => cache.get(key, loader(key, bytes));
    await read('a');
    await read('b');
    await read('a');
    await read('c');
    expect(loads, 'b is removed, a is kept').to.deep.equal(['a', 'b', 'c']);
    await read('a');
    await read('b');
    expect(loads).to.deep.equal(['a', 'b', 'c', 'b']);
    expect(await read('larger', 101)).to.have.length(101);
    await read('b');
    await read('larger', 101);
    expect(loads, 'bytes that are larger than the cache are not kept').to.deep.equal([
      ...['a', 'b', 'c', 'b'],
      ...['larger', 'larger'],
    ]);
  });

  it('does not keep a failed load', async () => {
    const cache = createByteCache(100);
    const failed = await cache.get('a', () => Promise.reject(new Error('failed'))).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error);
    await cache.get('a', loader('a', 10));
    expect(loads).to.deep.equal(['a']);
  });
});
