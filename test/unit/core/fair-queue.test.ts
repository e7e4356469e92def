import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { createFairQueue } from '../../../src/api/core/fair-queue.js';

describe('turns of requests', () => {
  it('begin at once while there is time', () => {
    const inTurn = createFairQueue(() => 0);
    const started: number[] = [];
    for (let count = 0; count < 100; count++) inTurn('a', () => started.push(count));
    expect(started).to.have.length(100);
  });

  it('let all other clients begin with the next turn, whatever one client sends', async () => {
    let time = 0;
    const inTurn = createFairQueue(() => time);
    const started: string[] = [];
    // Each takes two milliseconds, so three fill a turn.
    const send = (client: string) => inTurn(client, () => (started.push(client), (time += 2)));
    for (let count = 0; count < 100; count++) send('flood');
    send('honest');
    send('other');
    expect(started).to.deep.equal(['flood', 'flood', 'flood']);
    await turn();
    expect(started.slice(3)).to.have.members(['flood', 'honest', 'other']);
    while (started.length < 102) await turn();
    expect(started.filter((client) => client === 'flood')).to.have.length(100);
  });

  it('keep the order of each client, and begin all requests', async () => {
    let time = 0;
    const inTurn = createFairQueue(() => time);
    const started: number[] = [];
    for (let count = 0; count < 50; count++) inTurn('a', () => (started.push(count), (time += 3)));
    while (started.length < 50) await turn();
    expect(started).to.deep.equal(Array.from({ length: 50 }, (_, count) => count));
  });
});
