/** Keeps loaded bytes in memory up to a total size. The least recently used entries are removed first. */
export interface ByteCache {
  /** The bytes under this key. Concurrent calls for the same key share one load; a failed load is not kept. */
  get(key: string, load: () => Promise<Buffer>): Promise<Buffer>;
}

export function createByteCache(maxBytes: number): ByteCache {
  /** From the least to the most recently used. */
  const entries = new Map<string, Buffer>();
  const loading = new Map<string, Promise<Buffer>>();
  let total = 0;

  function add(key: string, bytes: Buffer): void {
    if (bytes.length > maxBytes) return;
    entries.set(key, bytes);
    total += bytes.length;
    for (const [oldest, { length }] of entries) {
      if (total <= maxBytes) return;
      entries.delete(oldest);
      total -= length;
    }
  }

  return {
    async get(key, load) {
      const known = entries.get(key);
      if (known) {
        entries.delete(key);
        entries.set(key, known);
        return known;
      }
      const running = loading.get(key);
      if (running) return running;
      const loaded = load()
        .then((bytes) => {
          add(key, bytes);
          return bytes;
        })
        .finally(() => loading.delete(key));
      loading.set(key, loaded);
      return loaded;
    },
  };
}
