/** The receipt of a top-up as PDF: one page A4. It does not depend on the way of payment. */
import { A4, addressOf, figure, MARGIN, pageNumber, pair, RIGHT, rule, WIDTH } from '../../core/printing/sheet.js';
import type { Template } from '../../core/printing/template.js';
import type { Printed } from '../../core/printing/text.js';
import type { Billing } from '../../../events/businesses/events.js';

/** What the receipt shows. It follows from events up to the time of the payment. */
export interface Receipt {
  readonly top_up_id: number;
  readonly amount: string;
  readonly currency: string;
  readonly method: string;
  readonly reference: string;
  /** Date of the confirmation in the timezone of the business. */
  readonly paid_on: string;
  readonly customer_id: number;
  /** Null if the account had no name, or was erased. */
  readonly customer_name: string | null;
  /** Without a billing profile: the name of the business. */
  readonly seller: Pick<Billing, 'legal_name' | 'tax_ids'> & { readonly address: Partial<Billing['address']> };
}

export const RECEIPT_TEMPLATE: Template<Receipt> = {
  kind: 'receipt',
  name: 'top-up-receipt',
  version: 1,
  size: A4,
  margin: MARGIN,
  title: ({ top_up_id }) => `Receipt for top-up ${top_up_id}`,
  texts: (receipt) => [sellerOf(receipt), ...factsOf(receipt).map(([, printed]) => printed)],
  draw(pdf, draw, receipt) {
    pdf.addPage();
    figure(pdf, 'Receipt', [MARGIN, MARGIN, 250], { size: 20, bold: true });
    draw(sellerOf(receipt), { x: RIGHT - 220, y: MARGIN, width: 220, height: 84, size: 9, align: 'right' });
    rule(pdf, 150);
    factsOf(receipt).forEach((fact, index) =>
      pair(pdf, draw, fact, { x: MARGIN, y: 164 + index * 18, labelWidth: 130, width: WIDTH }),
    );
    const below = 164 + factsOf(receipt).length * 18;
    rule(pdf, below + 2);
    figure(pdf, 'Received', [MARGIN, below + 14, 130], { size: 12, bold: true });
    figure(pdf, `${receipt.amount} ${receipt.currency}`, [MARGIN + 130, below + 14, WIDTH - 130], {
      size: 12,
      bold: true,
    });
    pageNumber(pdf, RECEIPT_TEMPLATE.title(receipt), 1, 1);
    return Promise.resolve();
  },
};

function sellerOf({ seller: { legal_name, address, tax_ids } }: Receipt): Printed {
  const { text, country } = addressOf([legal_name], address);
  return { text: [text, ...tax_ids].join('\n'), country };
}

const factsOf = (receipt: Receipt): (readonly [label: string, printed: Printed])[] =>
  (
    [
      ['Top-up', String(receipt.top_up_id)],
      ['Customer', receipt.customer_name ?? `Customer ${receipt.customer_id}`],
      ['Paid on', receipt.paid_on],
      ['Method', receipt.method.replaceAll('_', ' ')],
      ['Payment reference', receipt.reference],
    ] as const
  ).map(([label, text]) => [label, { text, country: receipt.seller.address.country }]);
