/** `npm run schema`: prints the GraphQL schema to docs/schema.graphql, for clients' tools and for reviews. */
import { writeFile } from 'node:fs/promises';
import { printGraphQLSchema } from '../api/graphql/schema.js';
import { describeOperations } from '../compose/described.js';

await writeFile('docs/schema.graphql', printGraphQLSchema(describeOperations()));
