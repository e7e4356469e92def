/** Receipts of top-ups: created on request, from events alone, with the same bytes each time. */
import { z } from 'zod';
import { AccountChanged, AccountOpened, accountStream, accountSubject } from '../../../events/accounts/events.js';
import {
  BusinessBillingSet,
  BusinessRegistered,
  businessStream,
  type Billing,
} from '../../../events/businesses/events.js';
import { decoded, unseal } from '../../../events/core/codec.js';
import type { JsonObject } from '../../../events/core/log.js';
import { localDate } from '../../../events/core/local-time.js';
import type { TopUp, TopUpQueries } from '../../../projections/wallet/top-up-queries.js';
import { userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import type { Issue } from '../../core/printing/issue.js';
import { inJson, pdfDocument, pdfInput, pdfOutput, wantsPdf } from '../../core/printing/pdf-answer.js';
import { visibleTopUp } from './reading-top-ups.js';
import { RECEIPT_TEMPLATE, type Receipt } from './receipt-template.js';

export interface ReceiptsOptions extends Parts<'log' | 'types' | 'keyRing'> {
  readonly topUps: Pick<TopUpQueries, 'byId'>;
  readonly issue: Issue;
}

export function topUpReceipts({ topUps, issue, log, types, keyRing }: ReceiptsOptions): Operation {
  /** The data of the events of a stream up to a time (RFC 3339), oldest first, decrypted as far as the keys exist. */
  async function* pastOf(stream: string, time: string, subject?: string) {
    const keys = await keyRing.existing(subject === undefined ? [] : [subject]);
    for await (const stored of log.read(stream)) {
      if ((stored.metadata['recorded_at'] as string) > time) return;
      const { type, id, data } = decoded(stored, types);
      yield { type, data: unseal(data, id, keys) };
    }
  }

  /** The seller as the business was named at the time. */
  async function sellerAt(business: number, time: string): Promise<Receipt['seller']> {
    let registered: JsonObject | undefined;
    let billing: Billing | undefined;
    for await (const { type, data } of pastOf(businessStream(business), time)) {
      if (type === BusinessRegistered.type) registered = data;
      if (type === BusinessBillingSet.type) billing = data as unknown as Billing;
    }
    if (!billing) return { legal_name: (registered?.['name'] as string | undefined) ?? '', address: {}, tax_ids: [] };
    const { legal_name, address, tax_ids } = billing;
    return { legal_name, address, tax_ids };
  }

  async function customerNameAt(accountId: number, time: string): Promise<string | null> {
    let name: string | null = null;
    for await (const { type, data } of pastOf(accountStream(accountId), time, accountSubject(accountId)))
      if (NAMING.has(type) && typeof data['name'] === 'string') name = data['name'];
    return name;
  }

  async function receiptOf(topUp: TopUp, paid: Paid, timezone: string): Promise<Receipt> {
    const { id, business, account_id, currency, method, reference } = topUp;
    return {
      top_up_id: id,
      amount: paid.amount,
      currency,
      method,
      reference,
      paid_on: localDate(Date.parse(paid.at), timezone),
      customer_id: account_id,
      customer_name: await customerNameAt(account_id, paid.at),
      seller: await sellerAt(business, paid.at),
    };
  }

  return operation({
    name: 'topUpReceipt',
    area: 'Billing',
    summary: 'Get the receipt of a top-up as PDF',
    description:
      'The service has a receipt only if the money of the top-up has arrived. The receipt contains the names of the business and the customer at that time, so each request returns the same bytes.',
    rest: { method: 'get', path: '/v1/customer/wallet/top-ups/:top_up_id/receipt' },
    callers: ['client_admin', 'employee', 'customer'],
    scopes: ['billing:read'],
    reads: ['topups'],
    answers: {
      404: 'There is no such top-up, or it belongs to another customer.',
      409: '`CONFLICT`: the money has not arrived.',
      422: '`NO_FONT`: the service has no font for some characters.',
    },
    input: z.object({ top_up_id: idSchema.describe('Id of the top-up.'), ...pdfInput }),
    output: z.object({
      result: z.boolean(),
      top_up_receipt: z.object({ top_up_id: z.int(), ...pdfOutput }).meta({ id: 'TopUpReceipt' }),
    }),
    async run({ top_up_id, format }, context) {
      const { caller, header } = context;
      const topUp = await visibleTopUp(topUps, top_up_id, caller);
      const { received_amount: amount, confirmed_at: at } = topUp;
      if (amount === null || at === null) throw new ApiError('CONFLICT', { says: 'TOP_UP_NOT_SUCCEEDED' });
      const receipt = await receiptOf(topUp, { amount, at }, userOf(caller).timezone);
      const about = { business: topUp.business, subjects: [accountSubject(topUp.account_id)], at };
      const issued = await issue(RECEIPT_TEMPLATE, receipt, about, context);
      if (wantsPdf(format, header('accept'))) return pdfDocument(issued, `receipt-${top_up_id}`);
      return { result: true, top_up_receipt: { top_up_id, ...inJson(issued) } };
    },
  });
}

/** API keys have names, too. */
const NAMING: ReadonlySet<string> = new Set([AccountOpened.type, AccountChanged.type]);

interface Paid {
  readonly amount: string;
  /** RFC 3339 in UTC. */
  readonly at: string;
}
