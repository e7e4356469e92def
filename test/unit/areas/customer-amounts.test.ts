/** The preview of a write shows event data to customers: each amount of money in it is declared as shown or hidden. */
import { expect } from 'chai';
import { z } from 'zod';
import { shownData } from '../../../src/api/core/hidden-events.js';
import { STREAMS } from '../../../src/areas/index.js';
import type { EventType } from '../../../src/events/core/event-types.js';
import { amountSchema } from '../../../src/events/core/money.js';
import { priceSchema } from '../../../src/events/pricing/values.js';
import { DOUBLE_EVENTS } from '../../support/double/events.js';

/** Names of texts that are amounts of money even if their schema is only a text. */
const AMOUNT_NAME = /(^|_)(amount|price|cost|total|subtotal|fee|balance|charge|net|gross|tax|credit_limit)$/;

type Schema = z.core.$ZodType;
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly valueType?: Schema;
  readonly options?: readonly Schema[];
}

/** Paths of the amounts of a schema. Arrays and records add no name, as in declarations. */
function amountsIn(schema: Schema, path: readonly string[] = []): string[] {
  const { type, shape, innerType, element, valueType, options } = schema._zod.def as unknown as Definition;
  const isAmount = schema === amountSchema || schema === priceSchema;
  if (isAmount || (type === 'string' && AMOUNT_NAME.test(path.at(-1) ?? ''))) return [path.join('.')];
  if (shape) return Object.entries(shape).flatMap(([name, member]) => amountsIn(member, [...path, name]));
  const inside = [innerType, element, valueType, ...(options ?? [])].filter((one) => one !== undefined);
  return [...new Set(inside.flatMap((one) => amountsIn(one, path)))];
}

const isWithin = (path: string, declared: string): boolean =>
  declared === '' || path === declared || path.startsWith(`${declared}.`);

const TYPES = [
  ...new Map(
    [
      ...STREAMS.flatMap(({ events }) => events as readonly EventType[]),
      ...(DOUBLE_EVENTS as readonly EventType[]),
    ].map((type) => [type.type, type]),
  ).values(),
];

/** Whether the schema has a member at the path. */
function hasPath(schema: Schema, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const { shape, innerType, element, valueType, options } = schema._zod.def as unknown as Definition;
  if (shape) return Object.hasOwn(shape, name) && hasPath(shape[name]!, rest);
  return [innerType, element, valueType, ...(options ?? [])].some(
    (one) => one !== undefined && hasPath(one, [name, ...rest]),
  );
}

describe('amounts of money in events', () => {
  it('are found in nested members', () => {
    const schema = z.object({ a: z.array(z.object({ b: amountSchema.optional(), fee: z.string() })), c: z.string() });
    expect(amountsIn(schema)).to.deep.equal(['a.b', 'a.fee']);
  });

  it('are declared as shown to customers or hidden from them', () => {
    const undeclared = TYPES.flatMap(({ type, schema, amounts = {} }) =>
      amountsIn(schema)
        .filter((path) => !Object.keys(amounts).some((declared) => isWithin(path, declared)))
        .map((path) => `${type}: ${path}`),
    );
    expect(undeclared, 'add them to `amounts` of the event type').to.deep.equal([]);
  });

  it('are declared only where they exist', () => {
    const unknown = TYPES.flatMap(({ type, schema, amounts = {} }) =>
      Object.keys(amounts)
        .filter((path) => path !== '' && !hasPath(schema, path.split('.')))
        .map((path) => `${type}: ${path}`),
    );
    expect(unknown).to.deep.equal([]);
  });

  it('never show the costs of carriers', () => {
    const type = (name: string) => TYPES.find((one) => one.type === name)!;
    const money = { amount: '3.21', currency: 'EUR' };
    const packages = [{ declared_value: '9.00' }];
    const created = { order_id: 4, agreed_cost: money, shipments: [{ about: '1', max_cost: money }], packages };
    const shown = (name: string, data: unknown, isHidden = false) => shownData(type(name), data, isHidden);
    expect(shown('LabelOrderCreated', created)).to.deep.equal({ order_id: 4, shipments: [{ about: '1' }], packages });
    expect(shown('LabelPurchased', { result: { cost: '3.21', packages: [] } })).to.deep.equal({
      result: { packages: [] },
    });
    expect(shown('LabelVoided', { shipment: '1', refunded: money })).to.deep.equal({ shipment: '1' });
    const charges = {
      total: '5.00',
      lines: [{ amount: '5.00' }],
      source: { rate_card_id: 2, inputs: { cost: '3.21' } },
    };
    expect(shown('ChargesSet', charges)).to.deep.equal({ ...charges, source: { rate_card_id: 2 } });
    expect(shown('ChargesSet', charges, true)).to.deep.equal({});
    const rerouted = {
      reason: 'x',
      replacement: { order_id: 5, bill: { price: { total: '1', source: charges.source } } },
    };
    expect(shown('OrderCancelled', rerouted)).to.deep.equal({
      reason: 'x',
      replacement: { order_id: 5, bill: { price: { total: '1', source: { rate_card_id: 2 } } } },
    });
    expect(shown('OrderCancelled', rerouted, true)).to.deep.equal({ reason: 'x', replacement: { order_id: 5 } });
  });
});
