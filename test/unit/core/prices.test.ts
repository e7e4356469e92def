/** Marked prices: which members are removed from values, and that every output marks its prices. */
import { expect } from 'chai';
import { z } from 'zod';
import { hidingOf, isPrice, isPriced, price, priced } from '../../../src/api/core/prices.js';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import type { Family } from '../../../src/events/pricing/families.js';

const HIDDEN: ReadonlySet<Family> = new Set(['label_service']);

const rate = priced(
  { id: z.string(), family: z.string(), amount: price(z.string()), lines: price(z.array(z.string())) },
  ({ family }) => family as Family,
).meta({ id: 'RateOfTest' });
const hide = (schema: z.ZodType, value: unknown) => hidingOf(schema)?.(value, HIDDEN);
const secret = { id: 'a', family: 'label_service', amount: '7391.83', lines: ['7391.83'] };
const shown = { id: 'b', family: 'local_delivery', amount: '2.00', lines: [] };

describe('prices in outputs', () => {
  it('are removed from an object of a hidden family, which says so', () => {
    expect(hide(rate, secret)).to.deep.equal({ id: 'a', family: 'label_service', price_hidden: true });
    expect(hide(rate, shown)).to.deep.equal(shown);
    expect(secret.amount, 'the value itself is not changed').to.equal('7391.83');
  });

  it('are removed from an object of several families if one of them is hidden', () => {
    const invoice = priced(
      { families: z.array(z.string()), gross: price(z.string()) },
      ({ families }) => families as readonly Family[],
    ).meta({ id: 'InvoiceOfTest' });
    const both = { families: ['local_delivery', 'label_service'], gross: '7391.83' };
    expect(hide(invoice, both)).to.deep.equal({ families: both.families, price_hidden: true });
    const one = { families: ['local_delivery'], gross: '2.00' };
    expect(hide(invoice, one)).to.deep.equal(one);
  });

  it('are found in lists, records, unions, optional and nullable members', () => {
    const output = z.object({
      result: z.boolean(),
      rates: z.array(rate),
      byCode: z.record(z.string(), rate),
      best: rate.nullable(),
      other: z.union([z.string(), rate]).optional(),
      inner: z.object({ last: rate.optional().describe('The last one.') }),
    });
    const value = {
      result: true,
      rates: [shown, secret],
      byCode: { x: secret },
      best: secret,
      other: secret,
      inner: { last: secret },
    };
    const text = JSON.stringify(hide(output, value));
    expect(text).not.to.include('7391');
    expect(text).to.include('2.00');
    expect(JSON.parse(text).best).to.deep.equal({ id: 'a', family: 'label_service', price_hidden: true });
    expect(hide(output, { ...value, best: null, other: 'none' })).to.include({ best: null, other: 'none' });
  });

  it('need no work in outputs without prices', () => {
    expect(hidingOf(z.object({ result: z.boolean(), names: z.array(z.string()) }))).to.equal(undefined);
  });

  /** Members whose names look like prices, and that are none: with the reason. */
  const NO_PRICES: Readonly<Record<string, string>> = {
    'CatalogItem.taxable': 'whether taxes are added, and no amount',
    'CustomAmount.amount': 'a quantity of goods',
    'Money.amount': 'a reward that is displayed to drivers',
    'Money.currency': 'a reward that is displayed to drivers',
    'ThirdPartyOffer.currency': 'of the fee that the business offers to a provider; only staff receive the offer',
    'invoice.invoice.seller.tax_ids': 'numbers by which tax offices know the business',
    'invoices.invoices.seller.tax_ids': 'numbers by which tax offices know the business',
    'InvoiceBuyer.tax_id': 'number by which tax offices know the customer',
  };
  const LIKE_A_PRICE =
    /price|amount|^currency$|tax|surcharge|paid|(^|_)due($|_amount)|balance|cost|^(credit_limit|available|held)$/;

  /** Balances and top-ups are the customer's own money. Orders of hidden families are not paid from them. */
  const OWN_MONEY = /^(accountCredits|WalletAmounts|Wallet|WalletTerms|TopUp|RecentTopUp|CardRefund)\./;

  it('are marked in every output (H1)', () => {
    const found = new Set<string>();
    for (const { name, output, callers } of describeOperations())
      if (callers.includes('customer')) for (const one of unmarked(output, name)) found.add(one);
    const unknown = [...found].filter((one) => !(one in NO_PRICES) && !OWN_MONEY.test(one));
    expect(unknown, 'mark them with price() in an object of priced(), or explain them here').to.deep.equal([]);
  });

  /** The members that look like prices and are not marked, by the name of their component or operation. */
  function unmarked(schema: z.core.$ZodType, where: string, seen = new Set<z.core.$ZodType>()): string[] {
    if (seen.has(schema)) return [];
    seen.add(schema);
    const { innerType, out, element, valueType, options, shape } = schema._zod.def as unknown as Record<string, never>;
    const inside = [innerType, out, element, valueType, ...((options as z.core.$ZodType[] | undefined) ?? [])].filter(
      (one): one is never => one !== undefined,
    );
    const place = z.globalRegistry.get(schema)?.id ?? where;
    const members = Object.entries((shape as Record<string, z.core.$ZodType> | undefined) ?? {}).flatMap(
      ([name, member]) => {
        if (isPrice(member) && isPriced(schema)) return [];
        return [
          ...(LIKE_A_PRICE.test(name) && name !== 'price_hidden' ? [`${place}.${name}`] : []),
          ...unmarked(member, `${where}.${name}`, seen),
        ];
      },
    );
    return [...members, ...inside.flatMap((one) => unmarked(one, where, seen))];
  }
});
