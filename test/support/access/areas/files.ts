/** The rows of the access table for files. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow } from '../table.js';
import type { World } from '../world.js';

/** Uploads a file. The body `{}` begins as GeoJSON, for which a token needs `datasets:write`. */
const fileOf = async ({ good }: World, user: UserName): Promise<{ file_id: string }> => {
  const { json } = await good('/files?purpose=map', user, { body: {} });
  return { file_id: json.file.id };
};

/**
 * The roles with the scope for `{}`. Drivers and others upload photos and documents of drivers
 * (`test/api/files/file-scopes.test.ts`).
 */
const UPLOADERS: readonly CallerKind[] = ['client_admin', 'employee'];

export const ROWS: Readonly<Record<string, AccessRow>> = {
  fileUpload: {
    roles: UPLOADERS,
    own: () => ({ purpose: 'map' }),
    status: 201,
    shared: 'what is uploaded is its own',
    restOnly: true,
  },
  file: {
    roles: UPLOADERS,
    // The files of this table belong to others, and nothing that these roles may read refers to them.
    notFoundFor: ['broker', 'driver', 'customer', 'auditor'],
    own: (world, role) => fileOf(world, role as UserName),
    foreign: [
      { input: (world) => fileOf(world, 'other_client_admin'), status: 404 },
      { input: (world) => fileOf(world, 'employee'), as: ['driver', 'customer', 'broker', 'auditor'], status: 404 },
    ],
    restOnly: true,
  },
};
