/** Stock of a SKU: the quantity is never below zero, and reserved stock is never removed. */
import { expect } from 'chai';
import { stock, type StockCommand } from '../../../src/commands/stock/decider.js';
import { commandsTo, given } from '../../support/checks/given.js';

const { of, as } = commandsTo<StockCommand>('7');
const sku = { warehouse_id: 1, sku: 'A', name: 'Box', unit: 'pcs', barcodes: [] };
const receive = (quantity: string, location = 'L1') => of({ do: 'receive', sku, location, quantity });
const pick = (quantity: string) => of({ do: 'pick', location: 'L1', quantity });
const reserve = (quantity: string) => of({ do: 'reserve', for: 'order-1', quantity });

describe('decider of stock', () => {
  it('opens the SKU with its first receipt, and records the balance after each event', () => {
    const received = given(stock).when(receive('10'));
    expect(received.types).to.deep.equal(['SkuOpened', 'SkuReceived']);
    const picked = received.then.when(pick('2.5'));
    expect(picked.facts[0]!.data).to.deep.equal({ location: 'L1', quantity: '2.5', on_hand: '7.5', available: '7.5' });
    expect(given(stock).refusal(pick('1'))).to.equal('SKU_NOT_FOUND');
    expect(received.then.refusal(as(2, { do: 'pick', location: 'L1', quantity: '1' }))).to.equal('SKU_NOT_FOUND');
  });

  it('never goes below zero', () => {
    const two = given(stock, receive('2'), receive('5', 'L2'));
    expect(two.refusal(pick('3'))).to.equal('NEGATIVE_STOCK');
    expect(two.refusal(of({ do: 'move', from: 'L1', to: 'L2', quantity: '3' }))).to.equal('NEGATIVE_STOCK');
    expect(two.when(of({ do: 'move', from: 'L1', to: 'L1', quantity: '1' })).types).to.deep.equal([]);
    expect(two.refusal(of({ do: 'release', for: 'order-1', quantity: '1' }))).to.equal('NEGATIVE_STOCK');
    expect(two.refusal(of({ do: 'adjust', location: 'L1', quantity: '3', reason: 'loss' }))).to.equal('NEGATIVE_STOCK');
  });

  it('holds reserved stock back', () => {
    const reserved = given(stock, receive('5'), reserve('4'));
    expect(reserved.refusal(pick('2'))).to.equal('STOCK_RESERVED');
    expect(reserved.refusal(reserve('2'))).to.equal('STOCK_RESERVED');
    expect(reserved.when(pick('1')).facts[0]!.data).to.deep.include({ on_hand: '4', available: '0' });
  });

  it('records a count with the previous quantity', () =>
    expect(
      given(stock, receive('5')).when(of({ do: 'count', location: 'L1', counted: '3' })).facts[0]!.data,
    ).to.deep.include({ counted: '3', was: '5', on_hand: '3' }));
});
