/** Random movements of stock. */
import { stock, type StockChange } from '../../../../../src/commands/stock/decider.js';
import { ADJUSTMENTS, stockId, stockStream } from '../../../../../src/events/stock/events.js';
import { generator, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const send = ({ send: to, id, business }: Tools, pick: Pick, body: (sku: string, warehouse: number) => StockChange) => {
  const [warehouse, sku] = [id(1), `SKU${pick.of(2)}`];
  const stream = stockId(warehouse, sku);
  return to(stock, stockStream(stream), { ...body(sku, warehouse), id: stream, business });
};
const location = (pick: Pick): string => pick.one('A-01', 'A-01', 'A-02');
const quantity = (pick: Pick): string => String(pick.of(20) / 4);

export const MIX = generator({
  receive: (tools, pick) =>
    send(tools, pick, (sku, warehouse_id) => ({
      do: 'receive',
      sku: { sku, warehouse_id, name: `Good ${sku}`, unit: 'pcs', barcodes: [sku] },
      location: location(pick),
      quantity: String(10 + pick.of(9)),
      ref: pick.one(undefined, 'PO-1'),
    })),
  move: (tools, pick) =>
    send(tools, pick, () => ({ do: 'move', from: location(pick), to: location(pick), quantity: quantity(pick) })),
  pick: (tools, pick) => send(tools, pick, () => ({ do: 'pick', location: location(pick), quantity: quantity(pick) })),
  adjust: (tools, pick) =>
    send(tools, pick, () => ({
      do: 'adjust',
      location: location(pick),
      quantity: quantity(pick),
      reason: pick.one(...ADJUSTMENTS),
    })),
  count: (tools, pick) => send(tools, pick, () => ({ do: 'count', location: location(pick), counted: quantity(pick) })),
  reserve: (tools, pick) =>
    send(tools, pick, () => ({ do: 'reserve', for: `order-${pick.of(3)}`, quantity: quantity(pick) })),
  release: (tools, pick) =>
    send(tools, pick, () => ({ do: 'release', for: `order-${pick.of(3)}`, quantity: quantity(pick) })),
});
