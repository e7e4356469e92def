/** All commands by program. */
import { erase } from './admin/erase.js';
import { rotateKeys } from './admin/keys.js';
import { grantTracking, ungrantTracking } from './admin/provider-grant.js';
import { revokeKeys, rotateKey } from './admin/provider-keys.js';
import { addProvider, chooseCodes, listProviders, setNetwork } from './admin/provider.js';
import { listUsers } from './admin/user-list.js';
import { addBusiness, addUser, revokeUser, rotateUser } from './admin/user.js';
import { exportEvents } from './audit/export.js';
import { ledger } from './audit/ledger.js';
import { evidence, key, proveConsistency, proveInclusion } from './audit/proof.js';
import { rebuildReadModel } from './audit/rebuild.js';
import { timeline } from './audit/timeline.js';
import { verify as verifyLog } from './audit/verify.js';
import { verifyProofFile } from './audit/verify-proof.js';
import { create } from './backup/create.js';
import { restore } from './backup/restore.js';
import { verify as verifyBackup } from './backup/verify.js';
import { adopt } from './log/adopt.js';
import { copy } from './log/copy.js';
import { root } from './log/root.js';
import type { Command } from './command.js';
import { schema } from './schema-command.js';
import { seed } from './seed-command.js';

export const PROGRAMS = {
  admin: [
    addProvider,
    listProviders,
    chooseCodes,
    setNetwork,
    rotateKey,
    revokeKeys,
    grantTracking,
    ungrantTracking,
    addBusiness,
    addUser,
    listUsers,
    rotateUser,
    revokeUser,
    rotateKeys,
    erase,
  ],
  audit: [
    timeline,
    exportEvents,
    rebuildReadModel,
    verifyLog,
    ledger,
    verifyProofFile,
    proveInclusion,
    proveConsistency,
    evidence,
    key,
  ],
  backup: [create, verifyBackup, restore],
  log: [copy, root, adopt],
  seed: [seed],
  schema: [schema],
} as const satisfies Record<string, readonly Command[]>;
