/** The trial balance of a business. */
import { z } from 'zod';
import { currencySchema, isNegative, negated } from '../../../events/core/money.js';
import type { WalletQueries } from '../../../projections/wallet/queries.js';
import { businessOf } from '../../core/callers.js';
import { operation, type Operation } from '../../core/operation.js';

const balanceSchema = z
  .object({
    currency: z.string(),
    ledger_account: z
      .string()
      .describe(
        '`customer`: free balances of the wallets. `held`: reserved balances. `bank`, `cash`, `goodwill`, `transfer`, `clearing:<provider>`: sources of money. `settled:<family>`: payments of orders. `adjustment`: corrections.',
      ),
    side: z.enum(['debit', 'credit']),
    amount: z.string(),
  })
  .meta({ id: 'LedgerBalance' });

export function ledgerOperations({ queries }: { readonly queries: WalletQueries }): Operation[] {
  return [
    operation({
      name: 'ledgerBalances',
      area: 'Billing',
      summary: 'Get the trial balance of all wallets',
      description:
        'The balance of each account over all wallets of the business. In each currency, debits and credits have the same sum. `npm run audit -- ledger` computes the same balances from the event log.',
      rest: { method: 'get', path: '/v1/ledger/balances' },
      callers: ['client_admin', 'auditor'],
      scopes: ['billing:read'],
      reads: ['ledger'],
      input: z.object({ currency: currencySchema.optional() }),
      output: z.object({
        result: z.boolean(),
        balances: z.array(balanceSchema).describe('Sorted by currency and account.'),
      }),
      async run({ currency }, { caller }) {
        const rows = await queries.ledger(businessOf(caller), currency);
        return {
          result: true,
          balances: rows.flatMap((row) =>
            Object.keys(row.balances)
              .sort()
              .map((account) => toBalance(row.currency, account, row.balances[account]!)),
          ),
        };
      },
    }),
  ];
}

const toBalance = (currency: string, ledger_account: string, amount: string): z.infer<typeof balanceSchema> =>
  isNegative(amount)
    ? { currency, ledger_account, side: 'debit', amount: negated(amount) }
    : { currency, ledger_account, side: 'credit', amount };
