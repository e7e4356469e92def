/** Random invoices and credit notes of two customers, with a year that ends. */
import { invoices, type NewDocument } from '../../../../../src/commands/invoices/decider.js';
import { invoiceStream, type InvoiceLine } from '../../../../../src/events/invoices/events.js';
import type { StoredEvent } from '../../../../../src/events/core/log.js';
import { generator, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const YEARS = [2026, 2027] as const;

const amountsOf = (pick: Pick) => {
  const net = `${pick.of(90)}.${10 + pick.of(80)}`;
  return { net, tax: '0.00', gross: net };
};
const lineOf = (order_id: number, pick: Pick): InvoiceLine => ({
  line: 1,
  order_id,
  bill_version: 1,
  date: '2026-03-01',
  family: 'local_delivery',
  text: `To Ada ${pick.of(9)}`,
  taxes: [],
  ...amountsOf(pick),
});

async function pastOf({ core, business }: Tools, year: number): Promise<StoredEvent[]> {
  const past: StoredEvent[] = [];
  for await (const event of core.engines.log.read(invoiceStream(business, year))) past.push(event);
  return past.filter(({ data }) => data['series_number'] !== undefined);
}

/** Sends the next document of the year. */
async function issue(
  tools: Tools,
  pick: Pick,
  make: (common: ReturnType<typeof commonOf>, past: readonly StoredEvent[]) => NewDocument | undefined,
) {
  const year = pick.one(...YEARS);
  const past = await pastOf(tools, year);
  const common = commonOf(tools, pick, { year, number: past.length + 1 });
  const document = make(common, past);
  if (!document) return undefined;
  const own = past.filter(({ data }) => data['customer_id'] === document.data.customer_id);
  return tools.send(invoices, invoiceStream(tools.business, year), {
    do: 'issue',
    document,
    knownOfCustomer: Number(own.at(-1)?.data['series_number'] ?? 0),
    knowsPreviousYear: true,
  });
}

const commonOf = (tools: Tools, pick: Pick, { year, number }: { readonly year: number; readonly number: number }) => {
  const line = lineOf(tools.id(pick.of(6)), pick);
  const { net, tax, gross } = line;
  return {
    invoice_id: tools.fresh(),
    business: tools.business,
    year,
    series_number: number,
    customer_id: tools.id(pick.of(2)),
    currency: pick.one('EUR', 'USD'),
    families: ['local_delivery' as const],
    line_count: 1,
    lines: [line],
    tax_summary: [{ net, tax }],
    net,
    tax,
    gross,
    seller: {
      legal_name: 'Demo',
      address: { street: 'Weg 1', city: 'Berlin', country: 'DE' },
      tax_ids: [],
      bank_details: null,
    },
    buyer: { name: `Ada ${pick.of(9)}` },
    issued_at: new Date(tools.now).toISOString(),
    issued_on: tools.date,
    issued_by: 1,
    document: {
      document_id: '00000000-0000-5000-8000-000000000000',
      sha256: String(number),
      bytes: 9,
      pages: 1,
      made_by: 'invoice/1',
      document_number: 'D-0000000000',
    },
  };
};

export const MIX = generator({
  invoice: (tools, pick) =>
    issue(tools, pick, (common) => ({
      kind: 'invoice',
      data: {
        ...common,
        date_from: tools.date,
        date_to: tools.date,
        due_date: tools.date,
        paid: '0.00',
        order_ids: common.lines.map(({ order_id }) => order_id),
      },
    })),
  creditNote: (tools, pick) =>
    issue(tools, pick, (common, past) => {
      const of = past.findLast(({ data }) => data['order_ids'] !== undefined)?.data;
      if (!of) return undefined;
      return {
        kind: 'credit_note',
        data: {
          ...common,
          customer_id: of['customer_id'] as number,
          of: of['invoice_id'] as number,
          of_year: of['year'] as number,
          of_series_number: of['series_number'] as number,
          reason: `late ${pick.of(9)}`,
          released_order_ids: pick.of(2) === 1 ? (of['order_ids'] as number[]) : [],
        },
      };
    }),
  close: (tools, pick) =>
    pick.of(20) === 1
      ? tools.send(invoices, invoiceStream(tools.business, YEARS[0]), {
          do: 'close',
          business: tools.business,
          year: YEARS[0],
        })
      : undefined,
});
