/**
 * A process that confirms a top-up and hangs before it credits the wallet, so that a test can kill it. Arguments:
 * database, master key, top-up as JSON, confirmation as JSON.
 */
import { randomUUID } from 'node:crypto';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createHandler } from '../../../src/commands/core/handler.js';
import {
  createConfirmAndCredit,
  createCreditTopUp,
  type CreditedTopUp,
} from '../../../src/commands/wallet/crediting.js';
import { wallet } from '../../../src/commands/wallet/decider.js';
import { topUps, type TopUpConfirmation } from '../../../src/commands/wallet/top-ups.js';
import { WALLET_PREFIX } from '../../../src/events/wallet/events.js';
import { openHangingEngines } from './hanging-engines.js';

const [, , databaseUrl = '', masterKey = '', topUp = '{}', confirmation = '{}'] = process.argv;
const { log, keyRing } = await openHangingEngines(databaseUrl, masterKey, WALLET_PREFIX);
const options = { log, types: EVENT_TYPES, keyRing, now: Date.now };
const wallets = createHandler({ decider: wallet, ...options });
const confirm = createConfirmAndCredit({
  topUps: createHandler({ decider: topUps, ...options }),
  wallets,
  credit: createCreditTopUp({ ...options, wallets }),
});
await confirm(JSON.parse(topUp) as CreditedTopUp, JSON.parse(confirmation) as TopUpConfirmation, {
  correlationId: randomUUID(),
  actor: { kind: 'user', id: '3' },
  channel: 'rest',
  business: '1',
});
