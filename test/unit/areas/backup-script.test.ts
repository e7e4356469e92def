/** The backup script of PostgreSQL keeps every schema that only a migration creates. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { READ_MODELS } from '../../../src/areas/index.js';

const MIGRATIONS = 'src/engines/migrations';

describe('postgres-backup.sh', () => {
  it('keeps the schemas of the followers that a migration creates', () => {
    const created = readdirSync(MIGRATIONS).flatMap((name) =>
      [...readFileSync(join(MIGRATIONS, name), 'utf8').matchAll(/create schema (?:if not exists )?(\w+)/gi)].map(
        ([, schema]) => schema!,
      ),
    );
    const followers = /^followers='([^']*)'$/m.exec(readFileSync('docker/postgres-backup.sh', 'utf8'))?.[1];
    expect(followers?.split(' ')).to.have.members(created.filter((schema) => READ_MODELS.includes(schema)));
    expect(followers).to.include('order_search');
  });
});
