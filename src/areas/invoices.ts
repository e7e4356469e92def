/** Invoices and credit notes of a business for its customers, numbered without gaps. */
import { invoiceChanges } from '../api/areas/invoices/changing.js';
import { createDrafts } from '../api/areas/invoices/drafts.js';
import { INVOICE_EXAMPLES } from '../api/areas/invoices/examples.js';
import { createIssueDocument } from '../api/areas/invoices/issuing.js';
import { invoiceReads } from '../api/areas/invoices/reading.js';
import { createStoredPdfs } from '../api/areas/invoices/stored-pdf.js';
import { createWallets } from '../api/areas/wallet/wallets.js';
import { invoices as decider } from '../commands/invoices/decider.js';
import { createFairTurns } from '../engines/fair-turns.js';
import { createOnePerBusiness } from '../engines/postgres/one-per-business.js';
import { INVOICE_EVENTS, INVOICE_PREFIX } from '../events/invoices/events.js';
import { createBillQueries } from '../projections/bills/queries.js';
import { createWaitUntilCurrent } from '../projections/core/wait-until-current.js';
import { createInvoiceQueries } from '../projections/invoices/queries.js';
import { INVOICE_IDS, invoices as invoiceRows } from '../projections/invoices/read-model.js';
import { createRetentionQueries } from '../projections/invoices/retention.js';
import { createWalletQueries } from '../projections/wallet/queries.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { customerTerms } from './customer-terms.js';
import { documents } from './documents.js';
import { files } from './files.js';
import { privacy } from './privacy.js';
import { createExpiredInvoices } from './wiring/expired-invoices.js';
import { INVOICE_DOCUMENTS, startInvoiceDocuments } from './wiring/invoice-documents.js';

/** Documents that a process draws at the same time: a long one takes seconds of computing time. */
const TURNS = { atOnce: 2, maxWaiting: 100, maxWaitingPerClient: 30 };

export const invoices = area({
  name: 'invoices',
  examples: INVOICE_EXAMPLES,
  // Each document has a separate key, which outlives the erasure of its customer until its legal term ends.
  streams: [{ prefix: INVOICE_PREFIX, events: INVOICE_EVENTS, tenant: 'business', erasure: 'otherwise' }],
  readModels: [invoiceRows],
  followers: [INVOICE_DOCUMENTS],
  sequences: [INVOICE_IDS],
  errors: { NO_BILLING_PROFILE: 409 },
  services: ({ of, config, now, engines: { pool } }) => ({
    pdfs: createStoredPdfs({
      issue: of(documents),
      files: of(files),
      onePerBusiness: createOnePerBusiness(pool, 'missing files of invoices'),
    }),
    eraseExpired: createExpiredInvoices({
      retention: createRetentionQueries(pool, { years: config.invoiceRetentionYears, now }),
      erasing: of(privacy).erasing,
    }),
  }),
  operations({ pdfs }, { handle, commands, database, progress, now, of, engines: { keyRing, log, pool } }) {
    const queries = createInvoiceQueries(database, keyRing);
    const { queries: accountQueries } = of(accounts);
    const wallets = createWallets({
      handle: commands.wallets,
      queries: createWalletQueries(database, keyRing, now),
      accounts: accountQueries,
    });
    return [
      ...invoiceReads({ queries, pdfs, wallets, terms: of(customerTerms).queries }),
      ...invoiceChanges({
        issueDocument: createIssueDocument({
          handle: handle(decider),
          queries,
          pdfs,
          waitUntilCurrent: createWaitUntilCurrent(['invoices', 'bills'], { log, progress }),
          onePerBusiness: createOnePerBusiness(pool, 'invoices'),
          turns: createFairTurns(TURNS),
        }),
        drafts: createDrafts({
          invoices: queries,
          bills: createBillQueries(database, keyRing),
          accounts: accountQueries,
        }),
        queries,
        wallets,
      }),
    ];
  },
  work({ pdfs }, { engines, types, progress, logger }) {
    const follower = startInvoiceDocuments({ engines, types, pdfs, progress, logger });
    return [() => follower.stop()];
  },
  sweep: ({ eraseExpired }) => eraseExpired(),
});
