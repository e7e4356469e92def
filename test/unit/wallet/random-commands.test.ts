/** Any sequence of commands keeps the books balanced, spends only available amounts, and refunds at most a payment. */
import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../../src/commands/core/domain-error.js';
import type { PastEvent } from '../../../src/commands/core/decider.js';
import { wallet } from '../../../src/commands/wallet/decider.js';
import type { WalletCommand } from '../../../src/commands/wallet/command.js';
import type { JsonObject } from '../../../src/events/core/log.js';
import type { Line } from '../../../src/events/wallet/events.js';
import { atDepth } from '../../support/depth.js';
import { adjust, capture, credit, dispute, giveBack, hold, HOUR, release, terms, withdraw } from './commands.js';

const COMMANDS = atDepth(100_000, 8_000);
const PER_RUN = 40;

const amount = fc.integer({ min: 1, max: 900 }).map((cents) => (cents / 100).toFixed(2));
/** Few ids, so that commands repeat each other and meet the same payments and holds. */
const id = fc.integer({ min: 1, max: 12 });
const later = fc.constantFrom(0, 0, 0, HOUR, 2 * HOUR);
const frozen = fc.integer({ min: 1, max: 5 }).map((of) => of === 1);

const anyCommand: fc.Arbitrary<WalletCommand> = fc.oneof(
  fc.tuple(id, amount, later).map((given) => credit(...given)),
  fc.tuple(id, amount, fc.constantFrom('', '-')).map(([n, of, sign]) => adjust(n, sign + of)),
  fc.tuple(id, amount, later).map((given) => hold(...given)),
  fc.tuple(id, later).map((given) => release(...given)),
  fc.tuple(id, amount, fc.option(id, { nil: undefined }), later).map((given) => capture(...given)),
  fc.tuple(id, id, amount).map((given) => giveBack(...given)),
  fc.tuple(id, amount).map((given) => withdraw(...given)),
  fc.tuple(id, amount).map((given) => dispute(...given)),
  fc.tuple(id, amount).map(([n, creditLimit]) => terms(n, { creditLimit })),
  fc.tuple(id, frozen).map(([n, isFrozen]) => terms(n, { frozen: isFrozen })),
);

const cents = (text: string): bigint => BigInt(text.replace('.', ''));

/** A ledger that knows nothing but the lines of the events, in hundredths. */
class PlainLedger {
  readonly accounts = new Map<string, bigint>();
  readonly paid = new Map<string, bigint>();
  limit = 0n;

  book({ type, data }: PastEvent): void {
    const lines = (data['lines'] ?? []) as unknown as Line[];
    let sum = 0n;
    for (const { account, side, amount: of } of lines) {
      const signed = side === 'credit' ? cents(of) : -cents(of);
      sum += signed;
      this.accounts.set(account, this.of(account) + signed);
    }
    expect(sum, `R1: lines of ${type}`).to.equal(0n);
    const moved = data['amount'] === undefined ? 0n : cents(data['amount'] as string);
    if (type === 'FundsCaptured') this.paid.set(data['entry_id'] as string, moved);
    if (type === 'FundsReturned') {
      const payment = data['payment_id'] as string;
      this.paid.set(payment, this.paid.get(payment)! - moved);
      expect(this.paid.get(payment)! >= 0n, 'R5').to.equal(true);
    }
    if (type === 'WalletTermsSet' && data['credit_limit'] !== undefined)
      this.limit = cents(data['credit_limit'] as string);
  }

  of = (account: string): bigint => this.accounts.get(account) ?? 0n;
}

describe('random commands to a wallet', () => {
  it('keep R1, R2 and R5', function () {
    this.timeout(0);
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(anyCommand, { minLength: PER_RUN, maxLength: PER_RUN }), (commands) => {
        const ledger = new PlainLedger();
        let state = wallet.initial();
        let wasDisputed = false;
        for (const command of commands) {
          const { facts } = decide(state, command);
          const before = ledger.of('customer') + ledger.limit;
          accepted += facts.length > 0 ? 1 : 0;
          for (const fact of facts) {
            const event = {
              type: fact.type.type,
              id: fact.id,
              data: JSON.parse(JSON.stringify(fact.data)) as JsonObject,
            };
            ledger.book(event);
            state = wallet.evolve(state, event);
          }
          const sum = [...ledger.accounts.values()].reduce((total, one) => total + one, 0n);
          expect(sum, 'R1: all accounts').to.equal(0n);
          if (facts.length > 0) {
            expect(cents(state.customer), 'R1: customer').to.equal(ledger.of('customer'));
            expect(cents(state.held), 'R1: held').to.equal(ledger.of('held'));
          }
          const available = ledger.of('customer') + ledger.limit;
          const isDispute = command.do === 'withdraw' && command.why === 'dispute';
          wasDisputed ||= isDispute && facts.length > 0;
          if (!isDispute) expect(available >= 0n || available >= before, 'R2').to.equal(true);
          if (!wasDisputed) expect(available >= 0n, 'R2: nothing is disputed').to.equal(true);
          expect(ledger.of('held') >= 0n, 'held').to.equal(true);
        }
      }),
      { numRuns: COMMANDS / PER_RUN },
    );
    expect(accepted, 'commands with events').to.be.greaterThan(COMMANDS / 5);
  });
});

function decide(state: ReturnType<typeof wallet.initial>, command: WalletCommand) {
  try {
    return wallet.decide(state, command);
  } catch (error) {
    if (error instanceof DomainError) return { facts: [] };
    throw error;
  }
}
