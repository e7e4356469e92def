/** A database that stopped responding: waiting statements time out, and the pool continues with other connections. */
import { expect } from 'chai';
import type pg from 'pg';
import { createPool } from '../../../src/engines/postgres/pool.js';
import { freshDatabase } from '../../support/worlds/database.js';
import { startTcpProxy } from '../../support/fakes/tcp-proxy.js';

describe('a pool whose server stops responding', () => {
  it('gives up on the statement, and continues with a new connection', async () => {
    const database = await freshDatabase();
    const url = new URL(database.url);
    const proxy = await startTcpProxy(url.hostname, Number(url.port || 5432));
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    url.search = '';
    const pool: pg.Pool = createPool(url.href, { name: 'silent', max: 1, statementTimeout: 200 });
    try {
      await pool.query('select 1');
      proxy.silence();
      const error = await pool.query('select 2').then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(String(error)).to.contain('timeout');
      proxy.speak();
      expect((await pool.query<{ n: number }>('select 3 as n')).rows).to.deep.equal([{ n: 3 }]);
    } finally {
      await pool.end();
      await proxy.close();
      await database.drop();
    }
  });
});
