/** Privacy: permanent erasure of personal data. */
import { privacy as privacyOperations } from '../api/areas/privacy/operations.js';
import { ERASURE_PREFIX, PRIVACY_EVENTS } from '../events/privacy/events.js';
import { createRetentionQueries } from '../projections/invoices/retention.js';
import { erasures } from '../projections/privacy/read-model.js';
import { area } from './area.js';
import { ownSubjects } from './streams.js';
import { createErasure, startErasing } from './wiring/erasure.js';
import { ERASURE_POLICY, startLaterErasures } from './wiring/later-erasures.js';

export const privacy = area({
  name: 'privacy',
  streams: [{ prefix: ERASURE_PREFIX, events: PRIVACY_EVENTS, tenant: 'business' }],
  readModels: [erasures],
  followers: [ERASURE_POLICY],
  services: ({ engines, commands, progress, directory, types, streams, forgetters }) =>
    createErasure({
      engines,
      commands,
      progress,
      directory,
      types,
      subjectPrefixes: ownSubjects(streams),
      forgetters: forgetters(),
    }),
  operations: (services, { config, now, engines: { pool } }) =>
    privacyOperations({
      ...services,
      retention: createRetentionQueries(pool, { years: config.invoiceRetentionYears, now }),
    }),
  work(services, { now, logger, engines, progress }) {
    const erasing = startErasing(services, {
      now,
      limits: engines.limits,
      onError: (error, subject) => logger.error({ subject, err: error }, 'an erasure is not finished yet'),
    });
    const later = startLaterErasures({
      engines,
      progress,
      erasing: services.erasing,
      onError: (error) => logger.error({ err: error }, 'later data of erased subjects is not erased yet'),
    });
    return [() => erasing.stop(), () => later.stop()];
  },
});
