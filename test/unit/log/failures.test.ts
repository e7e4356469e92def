/** The meaning of a database error: whether the service retries, and which error the caller receives. */
import { expect } from 'chai';
import { toApiError } from '../../../src/api/core/problem.js';
import { isWorthRetrying } from '../../../src/engines/postgres/failures.js';

const coded = (code: string) => Object.assign(new Error('It failed.'), { code });

const FAILURES: readonly (readonly [
  name: string,
  error: unknown,
  told: 'UNAVAILABLE' | 'INTERNAL',
  retried: boolean,
])[] = [
  ...['08006', '28P01', '53100', '53300', '57P01', '58030', '57014', 'ECONNREFUSED', 'EPIPE', 'EAI_AGAIN'].map(
    (code) => [code, coded(code), 'UNAVAILABLE', true] as const,
  ),
  ['an end in the middle', new Error('Connection terminated unexpectedly'), 'UNAVAILABLE', true],
  ['no free connection', new Error('timeout exceeded when trying to connect'), 'UNAVAILABLE', true],
  ['a deadlock', coded('40P01'), 'INTERNAL', true],
  ['an internal error of the server', coded('XX000'), 'INTERNAL', true],
  ['a pool that was closed', new Error('Cannot use a pool after calling end: closed'), 'INTERNAL', true],
  ['a wrong statement', coded('42703'), 'INTERNAL', false],
  ['a broken constraint', coded('23505'), 'INTERNAL', false],
  ['a bug', new TypeError('x is not a function'), 'INTERNAL', false],
  ['no error', undefined, 'INTERNAL', false],
];

describe('database failures', () => {
  for (const [name, error, errorCode, retried] of FAILURES) {
    it(`${name}: ${errorCode}, ${retried ? 'retried' : 'thrown'}`, () =>
      expect([toApiError(error).code, isWorthRetrying(error)]).to.deep.equal([errorCode, retried]));
  }
});
