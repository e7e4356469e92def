/** Files: user uploads and documents that the service issues. They are encrypted with the keys of the data subjects. */
import { fileOperations } from '../api/areas/files/operations.js';
import { createBucketBytes } from '../engines/files/bucket.js';
import { createDatabaseBytes } from '../engines/files/bytes.js';
import { createFiles } from '../engines/files/files.js';
import { area } from './area.js';

export const files = area({
  name: 'files',
  errors: { FILE_NOT_FOUND: 404, FILE_TOO_LARGE: 413, FILE_SUSPICIOUS: 422, FILE_DAMAGED: 500, WRONG_BYTE: 400 },
  services: ({ config, engines: { pool, keyRing }, now }) =>
    createFiles({
      pool,
      bytes: config.bucket ? createBucketBytes(config.bucket) : createDatabaseBytes(pool),
      keyRing,
      now,
    }),
  operations: (files, { fileReaders }) => fileOperations({ files, readers: fileReaders }),
  forget: (files) => (subjects) => files.drop(subjects),
  sweep: (files) => files.sweep(),
});
