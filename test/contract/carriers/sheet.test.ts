/** The contract suite for the adapter `sheet`, with its real numbers and labels. */
import { createNumberStreams } from '../../../src/commands/carrier-accounts/number-streams.js';
import { createSheet } from '../../../src/engines/outside/carriers/sheet/adapter.js';
import { sheetSettings } from '../../../src/engines/outside/carriers/sheet/settings.js';
import type { CarrierServices } from '../../../src/engines/outside/carriers/services.js';
import { renderLabel } from '../../../src/engines/label-printing/render-label.js';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { numberOf } from '../../../src/events/carrier-accounts/numbers.js';
import { createNumberQueries } from '../../../src/projections/carrier-accounts/numbers.js';
import { CARRIER_SHIPMENT } from '../../support/inputs/carrier-shipment.js';
import { CAUSE, openTestCore } from '../../support/worlds/test-core.js';
import { carrierContract } from './contract.js';
import type { CarrierFault, RunningCarrier } from './harness.js';

const ACCOUNT = { business: 7, accountId: 3 };
const PRICE = { service_code: 'standard', name: 'Standard', amount: '5.40', currency: 'EUR', days_max: 4 };

carrierContract({
  id: 'sheet',
  // It has no connection that could be reset.
  faults: ['error_before', 'error_after'],
  async start(): Promise<RunningCarrier> {
    const core = await openTestCore();
    core.run();
    const { log, keyRing, pool } = core.engines;
    const { known } = createNumberQueries(pool);
    const numbers = createNumberStreams({ log, keyRing, types: EVENT_TYPES, now: Date.now, known });
    const settings = sheetSettings.parse({ rate_card_id: 1, carrier_name: 'Vans', company_prefix: '4012345' });
    const { business, accountId } = ACCOUNT;
    const range = {
      business,
      accountId,
      scheme: 'sscc',
      commandId: 'first',
      prefix: '04012345',
      from: 0,
      to: 999,
    } as const;
    await numbers.setRange(range, CAUSE);
    let fault: CarrierFault | undefined;
    const meets = (...faults: CarrierFault[]): void => {
      if (fault === undefined || !faults.includes(fault)) return;
      fault = undefined;
      throw new Error('A fault of the test.');
    };
    const services: CarrierServices = {
      services: () => Promise.resolve([{ service_code: 'standard', name: 'Standard' }]),
      price: async (_business, _card, { to }) => {
        meets('error_before');
        return to.country === 'DE'
          ? { prices: [PRICE], errors: [] }
          : { prices: [], errors: [{ code: 'NOT_SERVED', retryable: false }] };
      },
      drawNumber: async (account, key) => {
        const drawn = await numbers.draw(account, 'sscc', key);
        return drawn && numberOf(drawn);
      },
      drawnNumber: async (account, key) => {
        const drawn = await numbers.drawn(account, 'sscc', key);
        return drawn && numberOf(drawn);
      },
      renderLabel: async (...label) => {
        meets('error_after');
        return renderLabel(...label);
      },
    };
    return {
      adapter: createSheet(services),
      account: { ...ACCOUNT, settings, credentials: {} },
      shipment: CARRIER_SHIPMENT,
      method_code: 'standard',
      unserved: { ...CARRIER_SHIPMENT, to: { ...CARRIER_SHIPMENT.to, country: 'FR' } },
      async labelCount() {
        let count = 0;
        for await (const { type } of log.read(`numbers-${accountId}-sscc`)) if (type === 'NumberDrawn') count += 1;
        return count;
      },
      failNext: (next) => Promise.resolve(void (fault = next)),
      timeoutMs: 30_000,
      stop: () => core.close(),
    };
  },
});
