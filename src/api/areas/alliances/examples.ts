/** Examples for alliances and grants between partners. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

export const ALLIANCE_EXAMPLES: Examples = {
  allianceCreate: { body: { name: 'North', purpose: 'Deliver for each other', contact: 'Ada, +49 40 5550100' } },
  allianceInvite: { path: { alliance_id: 1 }, body: { business_code: 'other', role: 'member' } },
  allianceAnswer: { as: 'other_client_admin', path: { alliance_id: 1 }, body: { accept: true } },
  allianceGrantCreate: {
    path: { alliance_id: 1 },
    body: {
      kind: 'orders',
      to_business_id: 2,
      filter: { postal_prefixes: ['20'] },
      expires_at: '2030-12-31T23:59:59Z',
    },
  },
  allianceRevoke: { path: { alliance_id: 1, grant_id: 1 }, body: { reason: 'The season is over' } },
  allianceMemberRemove: { path: { alliance_id: 1, business_id: 2 }, body: { reason: 'The contract ended' } },
  allianceLeave: { path: { alliance_id: 1 }, body: { reason: 'Nobody is left to work with' } },
};
