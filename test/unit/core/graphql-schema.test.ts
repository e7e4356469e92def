/** The printed GraphQL schema equals the schema of the code (C8). */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { printGraphQLSchema } from '../../../src/api/graphql/schema.js';
import { describeFeeds, describeOperations } from '../../../src/compose/describe-operations.js';

describe('docs/schema.graphql', () => {
  it('equals the schema of the operations', async () => {
    expect(
      (await readFile('docs/schema.graphql', 'utf8')) === printGraphQLSchema(describeOperations(), describeFeeds()),
      'docs/schema.graphql is out of date: run npm run schema and commit the file',
    ).to.equal(true);
  });
});
