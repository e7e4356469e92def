/** Every adapter takes part in the contract suite. */
import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { createCarriers } from '../../../src/engines/outside/carriers/index.js';
import type { CarrierServices } from '../../../src/engines/outside/carriers/services.js';

describe('the list of carrier adapters', () => {
  it('has a contract test for each adapter', () => {
    const tested = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.js'));
    const options = { easypost: { baseUrl: 'http://127.0.0.1:1', timeoutMs: 1 } };
    for (const id of createCarriers({} as CarrierServices, options).keys()) expect(tested).to.include(`${id}.test.js`);
  });
});
