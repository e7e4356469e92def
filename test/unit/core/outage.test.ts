/** The log of an outage: each kind of line is written once, then counted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { pino } from 'pino';
import { countOutages } from '../../../src/logging/outage.js';

describe('outage log', () => {
  it('writes each kind of line once, and then counts', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino(
      { hooks: { logMethod: countOutages((error) => (error as Error).message === 'away', 40) } },
      { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    );
    const away = new Error('asked', { cause: new Error('away') });
    for (let count = 0; count < 100; count++) logger.error({ err: away }, 'projection failed');
    logger.error({ err: away }, 'request failed');
    logger.error({ err: new Error('a bug') }, 'request failed');
    logger.error({ err: new Error('a bug') }, 'request failed');
    const logged = () => lines.map(({ msg, repeated }) => [msg, repeated]);
    expect(logged()).to.deep.equal([
      ['projection failed', undefined],
      ['request failed', undefined],
      ['request failed', undefined],
      ['request failed', undefined],
    ]);
    await sleep(70);
    expect(logged().slice(4)).to.deep.equal([['projection failed', 99]]);
    // The outage is over, so the next outage is logged immediately again.
    await sleep(70);
    logger.error({ err: away }, 'projection failed');
    expect(logged().slice(5)).to.deep.equal([['projection failed', undefined]]);
  });
});
