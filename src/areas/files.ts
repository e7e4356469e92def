/** Files: user uploads and documents that the service issues. They are encrypted with the keys of the data subjects. */
import { fileOperations } from '../api/areas/files/operations.js';
import { createFileReaders } from '../engines/file-reader/readers.js';
import { createBucketBytes } from '../engines/files/bucket.js';
import { createDatabaseBytes } from '../engines/files/bytes.js';
import { createFiles } from '../engines/files/files.js';
import { area } from './area.js';

/** Maximum number of files of a business that wait for a reader process. Jobs wait in their own queue. */
const MAX_WAITING = { requests: 20, jobs: 1_000 };

export const files = area({
  name: 'files',
  errors: {
    FILE_NOT_FOUND: 404,
    FILE_TOO_LARGE: 413,
    FILE_SUSPICIOUS: 422,
    FILE_DAMAGED: 500,
    WRONG_BYTE: 400,
    FILE_READ_MEMORY: 422,
    FILE_READ_TIME: 422,
    FILE_READ_FAILED: 422,
    PURPOSE_FORBIDDEN: 403,
    TOO_MANY_FILES: 429,
    UPLOAD_QUOTA_EXCEEDED: 429,
  },
  services({ config, engines: { pool, keyRing }, logger, now }) {
    const readers = (maxWaiting: number) =>
      createFileReaders({
        ...config.files.readers,
        maxWaiting,
        onEnded: (kind, business, { code }) => logger.warn({ kind, business, code }, 'a file ended its reader process'),
      });
    return {
      ...createFiles({
        pool,
        bytes: config.bucket ? createBucketBytes(config.bucket) : createDatabaseBytes(pool),
        keyRing,
        now,
      }),
      readers: { requests: readers(MAX_WAITING.requests), jobs: readers(MAX_WAITING.jobs) },
    };
  },
  operations: (files, { config, fileReaders }) =>
    fileOperations({ files, readers: files.readers, permissions: fileReaders, quota: config.files.quota }),
  forget: (files) => (subjects) => files.drop(subjects),
  sweep: (files) => files.sweep(),
  close: ({ readers }) => Promise.all([readers.requests.close(), readers.jobs.close()]),
});
