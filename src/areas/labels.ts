/** Label orders: parcels that carriers transport, with labels that are bought, printed and voided. */
import { labelCancelling } from '../api/areas/labels/label-cancelling.js';
import { labelContent, labelReader } from '../api/areas/labels/label-content.js';
import { labelDetail } from '../api/areas/labels/label-detail.js';
import { LABEL_EXAMPLES } from '../api/areas/labels/label-examples.js';
import { labelReads } from '../api/areas/labels/label-reading.js';
import { labelWrites } from '../api/areas/labels/label-writing.js';
import { createPlaceLabelOrders } from '../api/areas/labels/place-label-order.js';
import { createCustomerOf } from '../api/areas/pricing/customer-of.js';
import { LABEL_EFFECTS } from '../events/labels/effects.js';
import { LABEL_EVENTS, LABEL_PREFIX } from '../events/labels/events.js';
import { createBillQueries } from '../projections/bills/queries.js';
import { createCustomerTermsQueries } from '../projections/customer-terms/read-model.js';
import { labels as labelRows } from '../projections/labels/read-model.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { carrierAccounts } from './carrier-accounts.js';
import { effects } from './effects.js';
import { labelRates } from './label-rates.js';
import {
  CANCEL_SHIPPING_LABEL,
  CREATE_SHIPPING_LABEL,
  DOWNLOAD_SHIPPING_LABEL,
  GET_SHIPPING_DETAIL,
  GET_SHIPPING_LABEL,
  QUOTE_AND_SHIP,
} from './wiring/label-tools.js';
import { LABEL_WORK, startLabelWork } from './wiring/label-work.js';
import { createPollCarriers } from './wiring/label-polls.js';
import { LABEL_SCANS, startLabelScans } from './wiring/label-scans.js';
import { createLabels } from './wiring/labels.js';

export const labels = area({
  name: 'labels',
  examples: LABEL_EXAMPLES,
  streams: [{ prefix: LABEL_PREFIX, events: LABEL_EVENTS, tenant: 'business', erasure: 'own', effects: LABEL_EFFECTS }],
  readModels: [labelRows],
  followers: [LABEL_WORK, LABEL_SCANS],
  errors: {
    PURCHASE_IN_PROGRESS: 409,
    LABEL_EXISTS: 409,
    NO_LABEL: 409,
    LABEL_IN_USE: 409,
    NOT_VOIDABLE: 409,
    TOO_MANY_ATTEMPTS: 409,
    FORMAT_MISSING: 409,
  },
  tools: {
    operations: [
      CREATE_SHIPPING_LABEL,
      QUOTE_AND_SHIP,
      GET_SHIPPING_DETAIL,
      DOWNLOAD_SHIPPING_LABEL,
      CANCEL_SHIPPING_LABEL,
    ],
    developer: [CREATE_SHIPPING_LABEL, GET_SHIPPING_LABEL],
  },
  services: createLabels,
  operations(services, { commands, database, of, now, engines: { keyRing } }) {
    const { queries, read, files, missing, inFormat, merge, digestOf, detailOf, refreshVoids } = services;
    const { queries: carriers, calls } = of(carrierAccounts);
    const { expectAvailable, perform } = of(effects);
    const { rates, shipments } = of(labelRates);
    const shared = {
      handle: commands.labels,
      read,
      accounts: carriers,
      adapterOf: calls.adapterOf,
      digestOf,
      expectAvailable: (account: Parameters<typeof calls.circuitOf>[0]) =>
        expectAvailable(calls.circuitOf(account), 'CARRIER_UNAVAILABLE'),
    };
    const placing = createPlaceLabelOrders({
      ...shared,
      isReadable: services.isReadable,
      rates,
      terms: createCustomerTermsQueries(database),
      settle: commands.settle,
      perform,
      now,
    });
    const customerOf = createCustomerOf(of(accounts).queries);
    return [
      ...labelWrites({ ...placing, rates, shipments, customerOf, queries }),
      ...labelReads({ queries, bills: createBillQueries(database, keyRing) }),
      labelDetail({ queries, detailOf, refreshVoids }),
      labelContent({ queries, open: files.open, downloadMissing: missing, downloadInFormat: inFormat, merge }),
      labelCancelling({ ...shared, performOpen: placing.performOpen, queries, refreshVoids }),
    ];
  },
  effects: ({ effectKinds }) => effectKinds,
  inbound: ({ inbound }) => inbound,
  fileReader: ({ queries }) => labelReader(queries),
  work({ files, queries, missing, ...tracking }, { engines, commands, types, of, progress, logger, now }) {
    const work = startLabelWork({
      engines,
      follow: commands.followLabels,
      files,
      read: tracking.read,
      queries,
      missing,
      progress,
      logger,
      now,
    });
    const { queries: accounts, calls } = of(carrierAccounts);
    const { limits } = engines;
    const poll = createPollCarriers({ ...tracking, accounts, calls, limits, logger, now });
    const canPoll = (adapter: string): boolean => calls.adapterOf(adapter)?.track !== undefined;
    const scans = startLabelScans({
      ...tracking,
      engines,
      types,
      labels: commands.labels,
      canPoll,
      poll,
      progress,
      logger,
      now,
    });
    return [() => work.stop(), () => scans.stop()];
  },
  sweep({ polls }) {
    return polls.forgetOld();
  },
});
