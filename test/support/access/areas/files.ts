/** The rows of the access table for files. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow } from '../table.js';
import type { World } from '../world.js';

const USERS: readonly CallerKind[] = ['client_admin', 'employee', 'broker', 'driver', 'customer', 'auditor'];

/** Uploads a file. The body `{}` begins as GeoJSON, whose purpose is open to all roles. */
const fileOf = async ({ good }: World, user: UserName): Promise<{ file_id: string }> => {
  const { json } = await good('/files?purpose=map', user, { body: {} });
  return { file_id: json.file.id };
};

const UPLOADERS = USERS.filter((role) => role !== 'auditor');

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
    // An auditor uploads nothing, and no resource that auditors may read refers to a file.
    notFoundFor: ['auditor'],
    own: (world, role) => fileOf(world, role as UserName),
    foreign: [
      { input: (world) => fileOf(world, 'other_client_admin'), status: 404 },
      { input: (world) => fileOf(world, 'employee'), as: ['driver', 'customer', 'broker', 'auditor'], status: 404 },
    ],
    restOnly: true,
  },
};
