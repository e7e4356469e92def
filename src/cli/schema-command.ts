/** Writes the GraphQL schema to docs/schema.graphql, for client tools and reviews. */
import { writeFile } from 'node:fs/promises';
import { printGraphQLSchema } from '../api/graphql/schema.js';
import { describeFeeds, describeOperations } from '../compose/describe-operations.js';
import { command } from './command.js';

const FILE = 'docs/schema.graphql';

export const schema = command({
  name: '',
  summary: `Write the GraphQL schema to ${FILE}.`,

  async run(_given, { note }) {
    await writeFile(FILE, printGraphQLSchema(describeOperations(), describeFeeds()));
    note(`${FILE} written`);
  },
});
