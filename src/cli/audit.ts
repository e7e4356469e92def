/**
 * `npm run audit`: what happened, as it was known at any moment, whether the read models say the same, and proof that
 * nothing was changed.
 */
import { exportEvents } from './audit/export.js';
import { key, proveConsistency, proveInclusion } from './audit/proof.js';
import { rebuildReadModel } from './audit/rebuild.js';
import { timeline } from './audit/timeline.js';
import { verify } from './audit/verify.js';
import { verifyProofFile } from './audit/verify-proof.js';
import { runProgram } from './command.js';

await runProgram('audit', [
  timeline,
  exportEvents,
  rebuildReadModel,
  verify,
  verifyProofFile,
  proveInclusion,
  proveConsistency,
  key,
]);
