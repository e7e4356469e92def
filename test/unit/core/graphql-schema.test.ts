/** The printed GraphQL schema is that of the code (C8). */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { printGraphQLSchema } from '../../../src/api/graphql/schema.js';
import { describeFeeds, describeOperations } from '../../../src/compose/described.js';

describe('docs/schema.graphql', () => {
  it('is what the operations make; npm run schema prints it anew', async () => {
    expect(
      (await readFile('docs/schema.graphql', 'utf8')) === printGraphQLSchema(describeOperations(), describeFeeds()),
      'stale: run npm run schema',
    ).to.equal(true);
  });
});
