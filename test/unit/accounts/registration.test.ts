/**
 * The response to a registration does not reveal whether an account exists, neither by its content nor by its timing.
 */
import { expect } from 'chai';
import { registration } from '../../../src/api/areas/accounts/registration.js';
import type { Context } from '../../../src/api/core/operation.js';

describe('registration', () => {
  const person = (business_code: string) => ({
    business_code,
    email: 'someone@example.com',
    password: 'long enough password',
    name: 'Someone',
  });
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

  it('takes equally long for every business code, known or unknown', async () => {
    const opened: unknown[] = [];
    for (const code of ['demo', 'nobody']) {
      const pauses: { readonly milliseconds: number; readonly end: () => void }[] = [];
      const [register] = registration(
        { businessByCode: async (businessCode) => (businessCode === 'demo' ? ({ id: 1 } as never) : undefined) },
        async (_context, account) => void opened.push(account) as never,
        () => () => Promise.resolve(),
        (milliseconds) => new Promise<void>((end) => void pauses.push({ milliseconds, end })),
      );
      let answer: unknown;
      const answered = Promise.resolve(register!.run(person(code) as never, { address: '::1' } as Context)).then(
        (result) => (answer = result),
      );
      await nextTurn();
      expect([answer, pauses.map(({ milliseconds }) => milliseconds)], code).to.deep.equal([undefined, [250]]);
      pauses[0]!.end();
      await answered;
      expect(answer).to.deep.equal({ result: true, registration: { status: 'pending' } });
    }
    expect(opened, 'of the one business alone').to.have.length(1);
  });
});
