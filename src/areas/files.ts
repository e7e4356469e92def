/** Files: what people upload and the service issues, sealed under the keys of the people that they are about. */
import { FILE_MESSAGES } from '../api/areas/files/messages.js';
import { fileOperations } from '../api/areas/files/operations.js';
import { createBucketBytes } from '../engines/files/bucket.js';
import { createDatabaseBytes } from '../engines/files/bytes.js';
import { createFiles } from '../engines/files/files.js';
import { area } from './area.js';

export const files = area({
  name: 'files',
  messages: FILE_MESSAGES,
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
