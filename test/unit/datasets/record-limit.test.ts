/** A dataset that is nearly full still accepts updates of existing records (places R1). */
import { expect } from 'chai';
import { createRecordLimit, MAX_RECORDS } from '../../../src/api/areas/datasets/put-command.js';
import { importJob, type ImportOptions } from '../../../src/api/areas/datasets/import/job.js';
import { createFileReaders } from '../../../src/engines/file-reader/readers.js';
import { keyedRecord } from '../../../src/events/datasets/events.js';

const KNOWN = new Set(['a', 'b'].map((key) => keyedRecord(7, key)));
/** There is room for one more record. */
const datasets = {
  counts: () => Promise.resolve(new Map([[7, MAX_RECORDS - 1]])),
  byId: () => Promise.resolve(DATASET),
};
const records = {
  existing: (uuids: readonly string[]) => Promise.resolve(new Set(uuids.filter((uuid) => KNOWN.has(uuid)))),
};
const DATASET = {
  id: 7,
  business: 1,
  key_column: 'ref',
  groups: [],
  columns: [{ code: 'ref', name: 'ref', type: 'text', required: true, personal: false, hidden: false }],
};
const uuids = (...keys: string[]) => keys.map((key) => keyedRecord(7, key));

describe('capacity of a dataset', () => {
  const refused = (sent: Promise<unknown>) =>
    sent.then(
      () => expect.fail('it was taken'),
      (error: { code: string }) => expect(error.code).to.equal('DATASET_FULL'),
    );

  it('is not used by puts of existing records', async () => {
    const expectRoom = createRecordLimit(datasets, records);
    await expectRoom(DATASET, uuids('a', 'b'));
    await expectRoom(DATASET, uuids('a', 'b', 'c', 'c'));
    await refused(createRecordLimit(datasets, records)(DATASET, uuids('a', 'c', 'd')));
  });

  it('is not used by imports of existing records', async () => {
    const jobs = createFileReaders({ processes: 1, memoryMb: 128, seconds: 60, maxWaiting: 1 });
    const bring = (content: string) =>
      importJob({
        datasets,
        records,
        references: {
          withReferenceTypes: (dataset: object) => Promise.resolve(dataset),
          missing: (_dataset: object, values: readonly object[]) => Promise.resolve(values.map(() => [])),
        },
        recordWriter: {
          known: () => Promise.resolve(new Map()),
          put: ({ uuid }: { uuid: string }) =>
            Promise.resolve({ reply: { outcome: KNOWN.has(uuid) ? 'updated' : 'inserted' } }),
        },
        files: {
          find: () => Promise.resolve({ id: 'file', media_type: 'text/csv' }),
          release: () => Promise.resolve(),
          open: () => Promise.resolve({ content: Buffer.from(content) }),
          readers: { jobs },
        },
        tableLimits: { columns: 10, cells: 100, blankRows: 10 },
        maxRejected: 10,
        reserveIds: (_sequence: object, count: number) => Promise.resolve(Array.from({ length: count }, () => 1)),
        awaitReadModels: () => Promise.resolve(),
      } as unknown as ImportOptions).run(
        {
          dataset_id: 7,
          file_id: 'f',
          header_row: 1,
          mode: 'upsert',
          on_error: 'skip',
          dry_run: false,
          language: 'en',
        },
        {
          id: 'job',
          business: 1,
          owner: 1,
          attempt: 1,
          stopped: new AbortController().signal,
          cancelled: new AbortController().signal,
          done: () => undefined,
          progress: () => undefined,
        } as never,
      );
    try {
      expect(await bring('ref\na\nb\nc\n')).to.include({ updated: 2, inserted: 1 });
      await refused(bring('ref\na\nc\nd\n'));
    } finally {
      await jobs.close();
    }
  });
});
