/** The carrier account of the demo business: it delivers parcels itself, at the prices of a rate card. */
import { carrierAccounts } from '../../commands/carrier-accounts/decider.js';
import { createNumberStreams } from '../../commands/carrier-accounts/number-streams.js';
import type { Cause } from '../../commands/core/handle.js';
import { EVENT_TYPES } from '../../areas/index.js';
import { rangeOf, sheetSettings } from '../../engines/outside/carriers/sheet/settings.js';
import { LABEL_FORMATS } from '../../engines/outside/carriers/shipment.js';
import { carrierAccountStream } from '../../events/carrier-accounts/events.js';
import { derivedId } from '../../events/otep/identity.js';
import { createNumberQueries } from '../../projections/carrier-accounts/numbers.js';
import { CARRIER_ACCOUNT_IDS } from '../../projections/carrier-accounts/read-model.js';
import { RATE_CARD_IDS } from '../../projections/pricing/read-model.js';
import type { Service } from '../service.js';
import { rateCardName } from './prices.js';
import { DEMO_RATE_CARDS } from './rate-cards.js';
import { seeding } from './seeding.js';

const NAME = 'Own vans';
const CARRIER = 'Demo Logistics';
/** Prefixes from 4012345 are examples of GS1. */
const COMPANY_PREFIX = '4012345';
const FAMILY = 'shipping_service';

/** Seeds the missing account. `cause` names the business. */
export async function seedCarriers(
  { engines }: Pick<Service, 'engines'>,
  { businessId: business }: { readonly businessId: number },
  cause: Cause,
): Promise<void> {
  const { idOf, handler, command, prepare } = seeding({ engines }, business);
  const { log, keyRing, pool } = engines;
  await prepare(CARRIER_ACCOUNT_IDS);
  const cardId = await idOf(RATE_CARD_IDS.name, rateCardName(FAMILY), 'rate_cards.rate_cards', 'name');
  const settings = sheetSettings.parse({ rate_card_id: cardId, carrier_name: CARRIER, company_prefix: COMPANY_PREFIX });
  const id = await idOf(CARRIER_ACCOUNT_IDS.name, NAME, 'carrier_accounts.carrier_accounts', 'name');
  const seed = command('carrier account', id);
  const { known } = createNumberQueries(pool);
  const numbers = createNumberStreams({ log, keyRing, types: EVENT_TYPES, now: Date.now, known });
  await numbers.setRange({ ...rangeOf(settings), business, accountId: id, commandId: seed.commandId }, cause);
  await handler(carrierAccounts)(
    carrierAccountStream(id),
    {
      ...seed,
      do: 'add',
      adapter: 'sheet',
      accountToken: derivedId('seed', 'carrier account token', id).replaceAll('-', ''),
      credentialId: undefined,
      terms: { name: NAME, settings, price_tolerance_percent: null, refund_on: 'refunded' },
      offered: DEMO_RATE_CARDS[FAMILY].services.map(({ code, names }) => ({
        code,
        name: names?.en ?? code,
        carrier: CARRIER,
        formats: [...LABEL_FORMATS],
      })),
    },
    cause,
  );
}
