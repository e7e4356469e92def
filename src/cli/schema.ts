/** `npm run schema`: the GraphQL schema as a file. */
import { runProgram } from './program.js';
import { PROGRAMS } from './programs.js';

await runProgram('npm run schema --', PROGRAMS.schema);
