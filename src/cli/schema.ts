/** `npm run schema`: writes the GraphQL schema to a file. */
import { runProgram } from './program.js';
import { PROGRAMS } from './programs.js';

await runProgram('npm run schema --', PROGRAMS.schema);
