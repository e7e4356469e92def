/** The books that are recomputed from events find every changed amount, and events that break a rule. */
import { expect } from 'chai';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { Books } from '../../../src/commands/wallet/books.js';
import type { AnyWalletCommand } from '../../../src/commands/wallet/command.js';
import { wallet } from '../../../src/commands/wallet/decider.js';
import type { JsonObject, StoredEvent } from '../../../src/events/core/log.js';
import { walletStream } from '../../../src/events/wallet/events.js';
import { given } from '../../support/checks/given.js';
import { adjust, capture, credit, dispute, giveBack, hold, idOf, terms, WALLET, withdraw } from './commands.js';

const COMMANDS: readonly AnyWalletCommand[] = [
  credit(1, '100'),
  terms(2, { creditLimit: '10' }),
  hold(3, '20'),
  capture(3, '18.37', 3),
  capture(4, '50'),
  giveBack(5, 4, '30'),
  adjust(6, '-1'),
  withdraw(7, '5'),
  dispute(8, '60'),
];

type Data = Readonly<Record<string, unknown>>;

/** The events that the commands lead to. `change`: replaces the data of the event with this index. */
function eventsOf(index = -1, change: (data: Data) => Data = (data) => data): StoredEvent[] {
  return given(wallet, ...COMMANDS).past.map(({ type, id, data }, revision) => ({
    id,
    type: type.type,
    version: type.version,
    data: JSON.parse(JSON.stringify(revision === index ? change(data as Data) : data)) as JsonObject,
    metadata: {},
    stream: walletStream(WALLET),
    revision,
    position: String(revision),
  }));
}

/** The first wrong event. */
function fault(events: readonly StoredEvent[]): { type: string; revision: number; wrong: string } | undefined {
  const books = new Books(EVENT_TYPES);
  for (const event of events) {
    const wrong = books.add(event);
    if (wrong !== undefined) return { type: event.type, revision: event.revision, wrong };
  }
  return undefined;
}

const typed = (type: string): number => eventsOf().findIndex((event) => event.type === type);

describe('the books of wallets', () => {
  it('are right for the events of the decider, and sum to zero', () => {
    expect(fault(eventsOf())).to.equal(undefined);
    const books = new Books(EVENT_TYPES);
    eventsOf().forEach((event) => books.add(event));
    expect(books.trialBalances).to.deep.equal([
      {
        business: 1,
        currency: 'EUR',
        balances: {
          bank: '-95.00',
          customer: '-4.37',
          held: '0.00',
          'settled:local_delivery': '38.37',
          adjustment: '1.00',
          'clearing:test': '60.00',
        },
      },
    ]);
  });

  it('find each changed amount, and name the event', () => {
    let changed = 0;
    eventsOf().forEach(({ data, type }, index) => {
      for (const place of ['amount', 'first line', 'second line', 'credit_limit']) {
        const change = changeOf(place);
        if (!change(data)) continue;
        changed++;
        const found = fault(eventsOf(index, (before) => change(before as JsonObject)!));
        // A lower credit limit shows only where it was used.
        if (place === 'credit_limit') continue;
        expect(found, `${place} of ${type}`).to.deep.include({ type, revision: index });
        const wrong =
          place === 'amount' ? /^its lines do not match its amount of 7.77$/ : /^its lines sum to .*, not to zero$/;
        expect(found!.wrong, `${place} of ${type}`).to.match(wrong);
      }
    });
    expect(changed).to.equal(28);
  });

  const changeOf =
    (place: string) =>
    (data: Data): Data | undefined => {
      const lines = data['lines'] as { amount: string }[] | undefined;
      if (place === 'credit_limit') return data[place] === undefined ? undefined : { ...data, credit_limit: '0.00' };
      if (!lines) return undefined;
      if (place === 'amount') return { ...data, amount: '7.77' };
      const index = place === 'first line' ? 0 : 1;
      return { ...data, lines: lines.map((line, at) => (at === index ? { ...line, amount: '7.77' } : line)) };
    };

  /** An event with another amount in all its places, as an attacker with care would change it. */
  const consistently =
    (amount: string) =>
    (data: Data): Data => ({
      ...data,
      amount,
      lines: (data['lines'] as object[]).map((line) => ({ ...line, amount })),
    });

  it('find an amount that is changed in all places, if a later event needs it', () => {
    const of = (type: string, amount: string) => fault(eventsOf(typed(type), consistently(amount)));
    expect(of('FundsHeld', '19.00')).to.deep.include({
      type: 'HoldReleased',
      wrong: 'the hold has 0.63 left, not 1.63',
    });
    expect(of('FundsHeld', '21.00')?.wrong).to.equal('the hold has 2.63 left, not 1.63');
    expect(of('FundsCaptured', '20.01')?.wrong).to.equal('the hold has 20.00 left, not 20.01');
    expect(of('FundsReturned', '50.01')?.wrong).to.equal('the payment has 50.00 that is not refunded, not 50.01');
    expect(of('FundsAdded', '30.00')).to.deep.include({ type: 'FundsCaptured', wrong: 'it leaves -28.37 available' });
  });

  it('find events of another form, wallet or business, and a missing beginning', () => {
    const of = (type: string, change: (data: Data) => Data) => fault(eventsOf(typed(type), change))?.wrong;
    expect(of('FundsAdded', (data) => ({ ...data, amount: 5 }))).to.match(/form of FundsAdded/);
    expect(of('WalletOpened', (data) => ({ ...data, currency: 'USD' }))).to.match(/another wallet/);
    expect(of('FundsAdded', (data) => ({ ...data, business: 2 }))).to.match(/belongs to business 2/);
    expect(of('FundsReturned', (data) => ({ ...data, payment_id: idOf(99) }))).to.match(/no payment/);
    expect(of('HoldReleased', (data) => ({ ...data, hold_id: idOf(99) }))).to.match(/no hold/);
    expect(fault(eventsOf().slice(1))?.wrong).to.equal('the wallet was not opened');
  });
});
