/** Alliances: delivery partners who share selected data with each other, and can revoke access immediately. */
import { ALLIANCE_EXAMPLES } from '../api/areas/alliances/examples.js';
import { allianceWriting } from '../api/areas/alliances/writing.js';
import { allianceReading } from '../api/areas/alliances/reading.js';
import { alliances as decider } from '../commands/alliances/decider.js';
import { ALLIANCE_EVENTS, ALLIANCE_PREFIX } from '../events/alliances/events.js';
import { createAllianceAccess } from '../projections/alliances/access.js';
import { createAllianceQueries } from '../projections/alliances/queries.js';
import { ALLIANCE_IDS, alliances as allianceRows } from '../projections/alliances/read-model.js';
import { accounts } from './accounts.js';
import { area } from './area.js';
import { datasets } from './datasets.js';

export const alliances = area({
  name: 'alliances',
  examples: ALLIANCE_EXAMPLES,
  // A contact is personal data of the user who gave it, and is erased together with that user's account.
  streams: [
    {
      prefix: ALLIANCE_PREFIX,
      events: ALLIANCE_EVENTS,
      tenant: 'each',
      erasure: 'otherwise',
      expires: ({ handle }) => handle(decider),
    },
  ],
  readModels: [allianceRows],
  sequences: [ALLIANCE_IDS],
  errors: {
    ALLIANCE_NOT_FOUND: 404,
    ALLIANCE_MEMBER_NOT_FOUND: 404,
    ALLIANCE_GRANT_NOT_FOUND: 404,
    BUSINESS_NOT_FOUND: 404,
    ALLIANCE_NEEDS_STEWARD: 409,
    ALLIANCE_FULL: 409,
    TOO_MANY_INVITATIONS: 429,
  },
  tools: {
    operations: [
      {
        category: 'alliance',
        name: 'list_alliances',
        title: 'List alliances',
        operation: 'alliances',
        fields: {
          'alliances[]':
            'id,name,founder_business_id,my_status,is_steward,member_count,given_grant_count,received_grant_count',
        },
        description:
          'Alliances that the business belongs to or is invited to, with the status of the business in each.',
      },
      {
        category: 'alliance',
        name: 'get_alliance',
        title: 'Get an alliance',
        operation: 'alliance',
        description: 'One alliance by its id, with the active grants that the business gave or received.',
      },
      {
        category: 'alliance',
        name: 'list_alliance_members',
        title: 'List members of an alliance',
        operation: 'allianceMembers',
        fields: { 'members[]': '*' },
        description: 'Members of an alliance: businesses, stewards, open invitations.',
      },
      {
        category: 'alliance',
        name: 'list_accessible_clients',
        title: 'List accessible clients',
        operation: 'accessibleClients',
        fields: { 'clients[]': 'business_id,code,display_name,kinds,alliance_ids' },
        description:
          'Other businesses whose data the business can read now through grants, with the kinds of data. Pass their business_id to other tools.',
      },
    ],
  },
  services: ({ engines: { pool, keyRing }, database, now }) => ({
    queries: createAllianceQueries({ database, pool, keyRing, now }),
    access: createAllianceAccess(pool, now),
  }),
  operations: ({ queries, access }, { handle, of, now }) => [
    ...allianceReading({ queries, access, now }),
    ...allianceWriting({
      handle: handle(decider),
      queries,
      access,
      accounts: of(accounts).queries,
      datasets: of(datasets).datasets,
    }),
  ],
  sweep: ({ queries }) => queries.sweep(),
});
