/**
 * A process that confirms a top-up and hangs before it credits the wallet, so that a test can kill it. Arguments:
 * database, master key, top-up as JSON, confirmation as JSON.
 */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createHandler } from '../../../src/commands/core/handler.js';
import {
  createConfirmAndCredit,
  createCreditTopUp,
  type CreditedTopUp,
} from '../../../src/commands/wallet/crediting.js';
import { wallet } from '../../../src/commands/wallet/decider.js';
import { topUps, type TopUpConfirmation } from '../../../src/commands/wallet/top-ups.js';
import { openEngines } from '../../../src/engines/open.js';
import type { EventLog } from '../../../src/events/core/log.js';
import { WALLET_PREFIX } from '../../../src/events/wallet/events.js';

const [, , databaseUrl = '', masterKey = '', topUp = '{}', confirmation = '{}'] = process.argv;
const { log, keyRing } = await openEngines({
  databaseUrl,
  eventStoreUrl: undefined,
  dataDir: tmpdir(),
  masterKey: Buffer.from(masterKey, 'hex'),
});
const hanging: EventLog = Object.assign(Object.create(log) as EventLog, {
  append(appends: Parameters<EventLog['append']>[0]) {
    if (!appends.some(({ stream }) => stream.startsWith(WALLET_PREFIX))) return log.append(appends);
    process.stdout.write('hangs\n');
    return new Promise<never>(() => undefined);
  },
});
const options = { log: hanging, types: EVENT_TYPES, keyRing, now: Date.now };
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
