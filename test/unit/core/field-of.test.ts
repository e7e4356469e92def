import { expect } from 'chai';
import { fieldOf } from '../../../src/api/core/errors.js';

describe('the field in an error', () => {
  for (const [pointer, field] of [
    ['', 'body'],
    ['/', 'body'],
    ['/ ', 'body'],
    ['/events/0/\u3000', 'body'],
    ['/events/0/occurred_at', 'occurred_at'],
    ['/events/0', '0'],
    ['/a~1b~0c', 'a/b~c'],
  ] as const) {
    it(`of ${JSON.stringify(pointer)} is ${field}`, () => expect(fieldOf(pointer)).to.equal(field));
  }
});
