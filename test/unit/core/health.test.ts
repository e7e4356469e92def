import { expect } from 'chai';
import type { Pool } from 'pg';
import { readiness } from '../../../src/api/core/health.js';
import type { EventLog } from '../../../src/events/core/log.js';

describe('readiness', () => {
  for (const [error, why] of [
    [Object.assign(new Error('x'), { code: '53100' }), 'the disk of the database is full'],
    [Object.assign(new Error('secret host'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [new Error('Connection terminated unexpectedly'), 'the connection ended'],
    [new Error('timeout exceeded when trying to connect'), 'connection timeout'],
  ] as const)
    it(`adversary M1: reports the reason: ${why}`, async () => {
      const log = { head: () => Promise.reject(error) } as unknown as EventLog;
      const pool = { query: () => Promise.reject(error) } as unknown as Pool;
      const { ready, problems } = await readiness({ log, pool, now: Date.now });
      expect(ready).to.equal(false);
      expect(problems).to.deep.equal([`The database or the event log does not respond: ${why}.`]);
    });
});
