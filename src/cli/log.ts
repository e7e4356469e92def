/** `npm run log`: the event log itself, on whichever engine. */
import { runProgram } from './command.js';
import { adopt } from './log/adopt.js';
import { copy } from './log/copy.js';
import { root } from './log/root.js';

await runProgram('log', [copy, root, adopt]);
