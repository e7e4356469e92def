/** Stored files are loaded only when a reader process is free, and files of layers are read once (N1, N4). */
import { expect } from 'chai';
import { importJob, type ImportOptions } from '../../../src/api/areas/datasets/import/job.js';
import { createLayerFiles } from '../../../src/api/areas/maps/layer-files.js';
import { orderTable, type OrderTableOptions } from '../../../src/api/areas/orders/table.js';
import type { FileReaders } from '../../../src/engines/file-reader/readers.js';
import { ReadersBusy } from '../../../src/engines/file-reader/refused.js';
import type { FileInfo, Files } from '../../../src/engines/files/files.js';

const FILE = {
  id: 'file',
  business: 1,
  owner: 2,
  subject: 'map-1',
  purpose: 'import',
  media_type: 'text/csv',
  size: 4,
  used_at: null,
} as const satisfies FileInfo;

/** Readers without a free process. */
const busy = {
  async *read() {
    await Promise.reject(new ReadersBusy());
  },
} as unknown as FileReaders;

/** One stored file; counts how often it is loaded. */
function storedFile(content = '') {
  const state = { loads: 0, isStored: true };
  const files = {
    find: () => Promise.resolve(state.isStored ? FILE : undefined),
    open: () => {
      state.loads += 1;
      return Promise.resolve({ ...FILE, content: Buffer.from(content) });
    },
  } as unknown as Files;
  return { files, state };
}
const codeOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'read',
    (error: unknown) => (error as { code: string }).code,
  );

describe('stored files', () => {
  it('N4: are not loaded for an import of orders that finds no free process', async () => {
    const { files, state } = storedFile();
    const options = { files: { ...files, readers: { requests: busy } } } as unknown as OrderTableOptions;
    const [ordersImport] = orderTable(options);
    const caller = { role: 'employee', userId: FILE.owner, businessId: FILE.business };
    const input = ordersImport!.input.parse({ file_id: '6f2c2b1e-8a51-4c39-9b0d-3f6f7c1d2e4a' });
    const context = { caller, cause: {}, header: () => undefined } as never;
    expect(await codeOf(Promise.resolve(ordersImport!.run(input, context)))).to.equal('UNAVAILABLE');
    expect(state.loads).to.equal(0);
  });

  it('N4: are not loaded for an import of records that finds no free process', async () => {
    const { files, state } = storedFile();
    const options = { files: { ...files, readers: { jobs: busy } } } as unknown as ImportOptions;
    const job = { business: FILE.business, cancelled: new AbortController().signal };
    const run = importJob(options).run({ file_id: FILE.id, header_row: 1 }, job as never);
    expect(await codeOf(run)).to.equal('UNAVAILABLE');
    expect(state.loads).to.equal(0);
  });

  it('N4: are not loaded for a layer that finds no free process', async () => {
    const { files, state } = storedFile();
    expect(await codeOf(createLayerFiles(files, busy).featuresOf(FILE.id, []))).to.equal('UNAVAILABLE');
    expect(state.loads).to.equal(0);
  });

  it('N1: the file of a layer is read once for all viewers, and not shown after its removal', async () => {
    const { files, state } = storedFile();
    const geometry = { type: 'Point', coordinates: [13, 52] };
    const reads: string[] = [];
    const readers = {
      async *read(_kind: string, load: () => Promise<Buffer>, { properties }: { properties: readonly string[] }) {
        reads.push(properties.join(','));
        await load();
        yield { features: [{ geometry, properties: Object.fromEntries(properties.map((name) => [name, 1])) }] };
      },
    } as unknown as FileReaders;
    const layers = createLayerFiles(files, readers);
    const feature = { type: 'Feature', id: 1, geometry, properties: { name: 1 } };
    const viewers = await Promise.all(Array.from({ length: 40 }, () => layers.featuresOf(FILE.id, ['name'])));
    expect(viewers).to.deep.equal(viewers.map(() => [feature]));
    expect(await layers.featuresOf(FILE.id, ['name'])).to.deep.equal([feature]);
    expect(await layers.featuresOf(FILE.id, [])).to.deep.equal([{ ...feature, properties: {} }]);
    expect(reads, 'once for each selection of properties').to.deep.equal(['name', '']);
    expect(state.loads).to.equal(2);
    state.isStored = false;
    expect(await layers.featuresOf(FILE.id, ['name'])).to.deep.equal([]);
  });
});
