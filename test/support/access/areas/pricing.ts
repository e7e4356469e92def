/** The rows of the access table for prices. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import { simpleCard, shipment } from '../../inputs/shipments.js';
import { UPLOAD } from '../../clients/rest-and-graphql.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow, Input, MakeInput } from '../table.js';

const ADMIN: readonly CallerKind[] = ['client_admin'];
const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];
const READERS: readonly CallerKind[] = [...OFFICE, 'auditor'];
const BUYERS: readonly CallerKind[] = [...OFFICE, 'customer'];
const FOREIGN = 'Foreign Card 7';
const CSV = 'service,lane,up_to_kg,amount\nstandard,national,5,4.20\n';
const NEW = { family: 'ltl_service', name: 'Pallets', currency: 'EUR' };

/** A card with a published version. */
const cardOf =
  (user: UserName, more: Input = {}, name = NEW.name): MakeInput =>
  async ({ good }) => {
    const { json } = await good('/rate-cards', user, { body: { ...NEW, name } });
    await good(`/rate-cards/${json.rate_card.id}/versions`, user, { body: { card: simpleCard() } });
    return { rate_card_id: json.rate_card.id, ...more };
  };
const row = (roles: readonly CallerKind[], scope: string, more: Input = {}): AccessRow => ({
  roles,
  scopes: [scope],
  own: cardOf('client_admin', more),
  foreign: { input: cardOf('other_client_admin', more), status: 404 },
  varies: ['*'],
});
/** A quote of the customer, which the office reads, too. */
const quoteOf =
  (user: UserName, admin: UserName): MakeInput =>
  async (world, role) => {
    const { rate_card_id } = await cardOf(admin)(world, role);
    const family = await world.good('/rate-cards', admin, { body: { ...NEW, family: 'local_delivery' } });
    const local = family.json.rate_card.id as number;
    await world.good(`/rate-cards/${local}/versions`, admin, { body: { card: simpleCard() } });
    await world.good('/pricing/defaults/local_delivery', admin, { method: 'PUT', body: { rate_card_id: local } });
    const { json, text } = await world.good('/orders/rate', user, { body: shipment() });
    if (!json.rates[0]) throw new Error(`no rate with the card ${String(rate_card_id)}: ${text}`);
    return { rate_id: json.rates[0].rate_id };
  };

export const ROWS: Readonly<Record<string, AccessRow>> = {
  rateCards: {
    roles: READERS,
    scopes: ['billing:read'],
    own: () => ({}),
    foreign: {
      input: async (world, role) => {
        await cardOf('other_client_admin', {}, FOREIGN)(world, role);
        return { per_page: 200 };
      },
      excludes: () => FOREIGN,
    },
  },
  defaultCards: {
    roles: READERS,
    scopes: ['billing:read'],
    own: () => ({}),
    varies: ['*'],
    shared: 'only ids of cards of the business',
  },
  rateCard: row(READERS, 'billing:read'),
  rateCardCreate: {
    roles: ADMIN,
    scopes: ['billing:write'],
    own: () => NEW,
    varies: ['*'],
    shared: 'a new card of the business',
  },
  rateCardPublish: row(ADMIN, 'billing:write', { card: simpleCard() }),
  rateCardRetire: row(ADMIN, 'billing:write'),
  defaultCardSet: row(ADMIN, 'billing:write', { family: 'ltl_service' }),
  rateCardTableImport: { ...row(ADMIN, 'billing:write', { [UPLOAD]: CSV }), restOnly: true },
  rateCardTry: row(OFFICE, 'billing:read', shipment()),
  ordersRate: {
    roles: BUYERS,
    scopes: ['orders:read'],
    own: () => shipment(),
    foreign: {
      input: ({ demo }) => shipment({ customer_id: demo.users.other_client_admin.id }),
      as: OFFICE,
      status: 400,
    },
    varies: ['*'],
  },
  quote: {
    roles: BUYERS,
    scopes: ['orders:read'],
    own: quoteOf('customer', 'client_admin'),
    foreign: { input: quoteOf('other_client_admin', 'other_client_admin'), status: 404 },
    varies: ['*'],
  },
};
