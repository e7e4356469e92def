import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { createTurns } from '../../../src/api/core/turns.js';

describe('turns of requests', () => {
  it('begin at once while there is time', () => {
    const inTurn = createTurns(() => 0);
    const begun: number[] = [];
    for (let count = 0; count < 100; count++) inTurn('a', () => begun.push(count));
    expect(begun).to.have.length(100);
  });

  it('let all other clients begin with the next turn, whatever one client sends', async () => {
    let time = 0;
    const inTurn = createTurns(() => time);
    const begun: string[] = [];
    // Each takes two milliseconds, so three fill a turn.
    const send = (client: string) => inTurn(client, () => (begun.push(client), (time += 2)));
    for (let count = 0; count < 100; count++) send('flood');
    send('honest');
    send('other');
    expect(begun).to.deep.equal(['flood', 'flood', 'flood']);
    await turn();
    expect(begun.slice(3)).to.have.members(['flood', 'honest', 'other']);
    while (begun.length < 102) await turn();
    expect(begun.filter((client) => client === 'flood')).to.have.length(100);
  });

  it('keep the order of each client, and begin all requests', async () => {
    let time = 0;
    const inTurn = createTurns(() => time);
    const begun: number[] = [];
    for (let count = 0; count < 50; count++) inTurn('a', () => (begun.push(count), (time += 3)));
    while (begun.length < 50) await turn();
    expect(begun).to.deep.equal(Array.from({ length: 50 }, (_, count) => count));
  });
});
