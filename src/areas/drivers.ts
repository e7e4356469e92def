/** Drivers: their profiles, documents, capacity, daily work and scans. */
import { documentOperations, documentReader } from '../api/areas/drivers/documents.js';
import { DRIVER_EXAMPLES } from '../api/areas/drivers/examples.js';
import { infoOperations } from '../api/areas/drivers/info.js';
import { driverOperations } from '../api/areas/drivers/operations.js';
import { scanConflictOperations } from '../api/areas/drivers/scan-conflicts.js';
import { scanOperations } from '../api/areas/drivers/scanning.js';
import { drivers as decider } from '../commands/drivers/decider.js';
import { DRIVER_EVENTS, DRIVER_PREFIX } from '../events/drivers/events.js';
import { driverDocuments } from '../projections/drivers/documents.js';
import { createHomes } from '../projections/drivers/homes.js';
import { createDocumentQueries } from '../projections/drivers/document-queries.js';
import { driverProfiles } from '../projections/drivers/profiles.js';
import { workers } from '../projections/drivers/read-model.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { contractors } from './contractors.js';
import { files } from './files.js';
import { fleets } from './fleets.js';
import { orders } from './orders.js';
import { returnReasons } from './return-reasons.js';
import { routes } from './routes.js';
import { skills } from './skills.js';

export const drivers = area({
  name: 'drivers',
  examples: DRIVER_EXAMPLES,
  // The personal data is erased together with the driver's account.
  streams: [
    {
      prefix: DRIVER_PREFIX,
      events: DRIVER_EVENTS,
      tenant: 'business',
      erasure: 'otherwise',
      expires: ({ handle }) => handle(decider),
    },
  ],
  readModels: [workers, driverProfiles, driverDocuments],
  errors: {
    DRIVER_NOT_FOUND: 404,
    UNKNOWN_DRIVER: 422,
    DOCUMENT_NOT_FOUND: 404,
    DOCUMENT_DECIDED: 409,
    OWN_DOCUMENT: 403,
    TOO_MANY_DOCUMENTS: 422,
    DOCUMENTS_TOO_LARGE: 422,
    DOCUMENTS_MISSING: 409,
  },
  services: ({ database, engines: { keyRing } }) => ({
    documents: createDocumentQueries(database, keyRing),
    homes: createHomes(database, keyRing),
  }),
  operations({ documents }, { commands, config, of }) {
    const shared = { commands, documents, accounts: of(accounts).queries };
    return [
      ...driverOperations({
        ...shared,
        routes: of(routes).queries,
        orders: of(orders).queries,
        planning: of(contractors).planning,
        skills: of(skills).queries,
      }),
      ...scanOperations({
        commands,
        orders: of(orders).queries,
        custody: of(orders).custody,
        conflicts: of(orders).scanConflicts,
        returns: of(returnReasons).returns,
      }),
      ...scanConflictOperations({
        commands,
        conflicts: of(orders).scanConflicts,
        custody: of(orders).custody,
        returns: of(returnReasons).returns,
      }),
      ...infoOperations({ ...shared, fleets: of(fleets).queries }),
      ...documentOperations({ ...shared, files: of(files), maxBytes: config.files.maxDocumentBytes }),
    ];
  },
  fileReader: ({ documents }) => documentReader(documents),
});
