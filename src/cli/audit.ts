/** `npm run audit`: what happened, as it was known at any moment, and whether the read models say the same. */
import { exportEvents } from './audit/export.js';
import { rebuildReadModel } from './audit/rebuild.js';
import { timeline } from './audit/timeline.js';
import { verify } from './audit/verify.js';
import { runProgram } from './command.js';

await runProgram('audit', [timeline, exportEvents, rebuildReadModel, verify]);
