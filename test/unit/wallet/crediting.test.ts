/** Confirmation and credit of a top-up are two appends. The second one may fail. */
import { expect } from 'chai';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import type { Cause, Handle } from '../../../src/commands/core/handle.js';
import type { EffectReply } from '../../../src/events/effects/records.js';
import { createHandler } from '../../../src/commands/core/handler.js';
import type { AnyWalletCommand, WalletReply } from '../../../src/commands/wallet/command.js';
import { createConfirmAndCredit, createCreditTopUp } from '../../../src/commands/wallet/crediting.js';
import { wallet } from '../../../src/commands/wallet/decider.js';
import { topUps, type TopUpConfirmation } from '../../../src/commands/wallet/top-ups.js';
import type { KeyRing } from '../../../src/events/core/codec.js';
import { LogUnavailable } from '../../../src/events/core/log.js';
import { walletStream } from '../../../src/events/wallet/events.js';
import { topUpStream } from '../../../src/events/wallet/top-ups.js';
import { createMemoryLog, type MemoryLog } from '../../support/fakes/memory-log.js';
import { NOW, WALLET } from './commands.js';

const ID = 12;
const STREAM = topUpStream(ID);
const CAUSE: Cause = { correlationId: 'c1', actor: { kind: 'user', id: '3' }, channel: 'rest', business: '1' };
const TOP_UP = { id: ID, ...WALLET, reference: 'T0000000C2' };
const keyRing: KeyRing = {
  keysFor: (subjects) => Promise.resolve(new Map(subjects.map((subject) => [subject, Buffer.alloc(32, 7)]))),
  existing: () => Promise.resolve(new Map()),
};
const confirmation = (amount: string): TopUpConfirmation => ({
  do: 'confirm',
  id: ID,
  business: 1,
  amount,
  by: 3,
  at: NOW,
});

describe('crediting of top-ups', () => {
  let log: MemoryLog;
  let fails: boolean;
  beforeEach(async () => {
    log = createMemoryLog();
    fails = false;
    await handleTopUp(STREAM, { do: 'begin', id: ID, ...WALLET, amount: '50', at: NOW }, CAUSE);
  });

  const options = () => ({ log, types: EVENT_TYPES, keyRing, now: () => NOW });
  const handleTopUp: Handle<Parameters<typeof topUps.decide>[1], EffectReply> = (...command) =>
    createHandler({ decider: topUps, ...options() })(...command);
  const handleWallet: Handle<AnyWalletCommand, WalletReply> = (stream, command, cause) =>
    fails && !cause.dryRun
      ? Promise.reject(new LogUnavailable('The log is away.'))
      : createHandler({ decider: wallet, ...options() })(stream, command, cause);
  const credit = (stream: string) => createCreditTopUp({ log, types: EVENT_TYPES, wallets: handleWallet })(stream);
  const confirm = (amount: string, cause = CAUSE) =>
    createConfirmAndCredit({ topUps: handleTopUp, wallets: handleWallet, credit })(TOP_UP, confirmation(amount), cause);
  const typesOf = (stream: string) => (log.streams.get(stream) ?? []).map(({ type }) => type);
  const codeOf = (refused: Promise<unknown>) => refused.then(undefined, ({ code }: { code: string }) => code);

  it('records both, and the credit is caused by the confirmation', async () => {
    const { position } = await confirm('49.5');
    const [, confirmed] = log.streams.get(STREAM)!;
    const [, funds] = log.streams.get(walletStream(WALLET))!;
    expect(position).to.equal(funds!.position);
    expect(funds!.data).to.include({ amount: '49.50', source: 'bank', topup_id: ID });
    expect(funds!.metadata).to.deep.include({ $causationId: confirmed!.id, business: '1' });
  });

  it('is completed later if the log fails after the confirmation', async () => {
    fails = true;
    const { position } = await confirm('49.5');
    expect(typesOf(STREAM)).to.deep.equal(['TopUpBegun', 'BankTransferConfirmed']);
    expect(position).to.equal(log.streams.get(STREAM)!.at(-1)!.position);
    expect(typesOf(walletStream(WALLET))).to.deep.equal([]);
    fails = false;
    await credit(STREAM);
    expect(typesOf(walletStream(WALLET))).to.deep.equal(['WalletOpened', 'FundsAdded']);
    await credit(STREAM);
    await confirm('49.50');
    expect(typesOf(walletStream(WALLET)), 'repeated').to.deep.equal(['WalletOpened', 'FundsAdded']);
  });

  it('does nothing for a top-up that is not confirmed, or does not exist', async () => {
    expect(await credit(STREAM)).to.equal(undefined);
    expect(await credit(topUpStream(99))).to.equal(undefined);
    expect(typesOf(walletStream(WALLET))).to.deep.equal([]);
  });

  it('records nothing if the wallet refuses the amount', async () => {
    const full = { do: 'credit', entryId: '6f2c8a52-6a54-4d5e-9d2f-0d8f4f6f0a11', amount: '999999999999.99' } as const;
    await handleWallet(walletStream(WALLET), { ...full, source: 'cash', ...WALLET, at: NOW }, CAUSE);
    expect(await codeOf(confirm('0.01'))).to.equal('AMOUNT_TOO_HIGH');
    expect(typesOf(STREAM)).to.deep.equal(['TopUpBegun']);
  });

  it('lists both events in a dry run, and records none', async () => {
    const dryRun: NonNullable<Cause['dryRun']> = [];
    await confirm('49.5', { ...CAUSE, dryRun });
    expect(dryRun.map(({ fact }) => fact.type.type)).to.deep.equal([
      'BankTransferConfirmed',
      'WalletOpened',
      'FundsAdded',
    ]);
    expect(typesOf(STREAM)).to.deep.equal(['TopUpBegun']);
  });
});
