/** Privacy: permanent erasure of personal data. */
import { privacy as privacyOperations } from '../api/areas/privacy/operations.js';
import { ERASURE_PREFIX, PRIVACY_EVENTS } from '../events/privacy/events.js';
import { erasures } from '../projections/privacy/read-model.js';
import { area } from './area.js';
import { ownSubjects } from './streams.js';
import { createErasure, startErasing } from './wiring/erasure.js';

export const privacy = area({
  name: 'privacy',
  streams: [{ prefix: ERASURE_PREFIX, events: PRIVACY_EVENTS, tenant: 'business' }],
  readModels: [erasures],
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
  operations: (services) => privacyOperations(services),
  work(services, { now, logger, engines: { limits } }) {
    const erasing = startErasing(services, {
      now,
      limits,
      onError: (error, subject) => logger.error({ subject, err: error }, 'an erasure is not finished yet'),
    });
    return [() => erasing.stop()];
  },
});
