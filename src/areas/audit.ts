/** Audit: recorded events, the state at any past moment, and cryptographic proofs of them. */
import { audit as auditOperations } from '../api/areas/audit/operations.js';
import { auditProofs } from '../api/areas/audit/proofs.js';
import { createParcelStreams } from '../api/areas/audit/parcel-streams.js';
import { createAuditReader } from '../api/areas/audit/reader.js';
import { createAuditQueries } from '../projections/audit/queries.js';
import { createAuditProofs } from '../projections/tree/audit-proofs.js';
import { logTree } from '../projections/tree/log-tree.js';
import { startHeadPublisher } from '../projections/tree/head-publisher.js';
import { area } from './area.js';
import { trackings } from './trackings.js';

export const audit = area({
  name: 'audit',
  // The audit index covers all areas, so index.ts adds it.
  readModels: [logTree],
  errors: { NO_HEAD: 404 },
  operations(_services, { engines: { log, pool, keyRing }, database, types, streams, readModels, baseUrl, of }) {
    const parcels = createParcelStreams({
      trackings: of(trackings).queries,
      prefixes: streams.map(({ prefix }) => prefix),
    });
    const reader = createAuditReader({
      queries: createAuditQueries(database),
      log,
      keyRing,
      types,
      areas: streams,
      projections: readModels,
      parcels,
    });
    return [
      ...auditOperations(reader, parcels),
      ...auditProofs({ pool, log, proofs: createAuditProofs({ pool, log }), parcels, baseUrl }),
    ];
  },
  work(_services, { engines: { signingKey, projectionPool: pool }, config, metrics, logger }) {
    if (!signingKey) {
      logger.warn(
        'SIGNING_KEY is not set: no heads of the log are signed and published, so later changes of the log cannot be proven',
      );
      return [];
    }
    const notary = startHeadPublisher({
      pool,
      signing: { key: signingKey, baseUrl: config.baseUrl },
      onPublished: ({ size }) => logger.debug({ size }, 'head published'),
      onError: (error) => {
        metrics.projectionFailed('notary');
        logger.error({ err: error }, 'no head is published');
      },
    });
    return [() => notary.stop()];
  },
});
