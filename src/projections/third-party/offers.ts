/**
 * The read model of offers to providers: the latest offer of each order, and for each provider what became of its part.
 * Orders that were given to a provider without an offer are included.
 */
import type { ClientBase } from 'pg';
import type { StoredEvent } from '../../events/core/log.js';
import {
  ORDER_PREFIX,
  orderIdOf,
  THIRD_PARTY_EVENTS,
  ThirdPartyDeclined,
  ThirdPartyOffered,
  ThirdPartyOfferEnded,
  ThirdPartyReturnedOrder,
  ThirdPartySlaMissed,
  ThirdPartyTookOrder,
  type OfferEnd,
  type SlaDeadline,
} from '../../events/orders/events.js';
import { insertRows, type Types } from '../../sql/rows.js';
import type { Projection } from '../core/projection.js';
import { sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';
import { NO_ROW, recordedAt } from '../core/table.js';

export const OFFER_STATUSES = ['offered', 'expired', 'withdrawn', 'taken', 'declined'] as const satisfies readonly (
  'offered' | OfferEnd
)[];
/** `lost`: another provider accepted first. `returned`: the provider no longer has the order. */
export const PROVIDER_STATUSES = ['offered', 'taken', 'declined', 'lost', 'expired', 'withdrawn', 'returned'] as const;
export type ProviderStatus = (typeof PROVIDER_STATUSES)[number];

/** The members of an offer. Times: RFC 3339, UTC. */
interface OfferTerms {
  readonly pickup_by: string | null;
  readonly deliver_by: string | null;
  readonly fee: string | null;
  readonly currency: string | null;
}

/** The latest offer of an order. */
export interface OfferRow extends OfferTerms {
  readonly order_id: number;
  readonly offer_id: string;
  status: (typeof OFFER_STATUSES)[number];
  readonly round: number;
  readonly respond_by: string;
  readonly offered_by: number | null;
  readonly created_at: string;
  ended_at: string | null;
}

/** The part of one provider in the latest offer that named it, or an order that it was given. */
export interface ProviderOfferRow extends OfferTerms {
  readonly order_id: number;
  readonly provider: string;
  /** Null: the business gave the order without an offer. */
  readonly offer_id: string | null;
  status: ProviderStatus;
  /** Position of the event that led to the status: the order in which a provider pulls its orders. */
  position: string;
  /** Null without an offer. */
  readonly respond_by: string | null;
  status_since: string;
  readonly reference: string | null;
  readonly eta_at: string | null;
  missed: SlaDeadline[];
  /** The reason of a declined offer or a returned order. */
  sealed: SealedMembers[];
}

interface OffersOfOrder {
  offer: OfferRow | undefined;
  readonly providers: Map<string, ProviderOfferRow>;
}
/** Null: events that concern no third party. */
type Folded = OffersOfOrder | null;

const TYPES: ReadonlySet<string> = new Set(THIRD_PARTY_EVENTS.map(({ type }) => type));

const TERMS = { pickup_by: 'text', deliver_by: 'text', fee: 'text', currency: 'text' } as const satisfies Types;
const OFFERS = {
  order_id: 'integer',
  offer_id: 'uuid',
  status: 'text',
  round: 'integer',
  respond_by: 'text',
  offered_by: 'integer',
  created_at: 'text',
  ended_at: 'text',
  ...TERMS,
} as const satisfies Types;
const PROVIDERS = {
  order_id: 'integer',
  provider: 'text',
  offer_id: 'uuid',
  status: 'text',
  position: 'text',
  respond_by: 'text',
  status_since: 'text',
  reference: 'text',
  eta_at: 'text',
  missed: 'json',
  sealed: 'json',
  ...TERMS,
} as const satisfies Types;

const replaced = (columns: Types, key: readonly string[]): string =>
  `on conflict (${key.join(', ')}) do update set ${Object.keys(columns)
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`;

export const thirdPartyOffers: Projection<Folded> = {
  name: 'third_party_offers',
  version: 1,
  prefixes: [ORDER_PREFIX],
  tables: `
    create table :schema.offers (
      order_id   integer primary key,
      offer_id   uuid not null,
      status     text not null,
      round      integer not null,
      respond_by text collate "C" not null,
      offered_by integer,
      created_at text collate "C" not null,
      ended_at   text collate "C",
      pickup_by  text collate "C",
      deliver_by text collate "C",
      fee        text,
      currency   text
    );
    create table :schema.providers (
      order_id   integer,
      provider   text collate "C",
      offer_id   uuid,
      status     text collate "C" not null,
      position   text collate "C" not null,
      respond_by text collate "C",
      status_since text collate "C" not null,
      reference  text,
      eta_at     text collate "C",
      missed     json not null,
      sealed     json not null,
      pickup_by  text collate "C",
      deliver_by text collate "C",
      fee        text,
      currency   text,
      primary key (order_id, provider)
    );
    create index on :schema.providers (provider, status, position);`,
  keyOf: ({ stream, type }) => (TYPES.has(type) ? stream : NO_ROW),
  rowPerStream: false,
  fold: (row, event) =>
    TYPES.has(event.type) ? foldOffers(row ?? { offer: undefined, providers: new Map() }, event) : null,

  async load(db, schema, keys) {
    const ids = keys.filter((key) => key !== NO_ROW).map(orderIdOf);
    if (ids.length === 0) return new Map();
    const { rows: offers } = await db.query<OfferRow>(`select * from ${schema}.offers where order_id = any ($1)`, [
      ids,
    ]);
    const { rows: providers } = await db.query<ProviderOfferRow>(
      `select * from ${schema}.providers where order_id = any ($1)`,
      [ids],
    );
    const loaded = new Map<number, OffersOfOrder>();
    const of = (id: number): OffersOfOrder => {
      const known = loaded.get(id) ?? { offer: undefined, providers: new Map<string, ProviderOfferRow>() };
      loaded.set(id, known);
      return known;
    };
    for (const offer of offers) of(offer.order_id).offer = offer;
    for (const row of providers) of(row.order_id).providers.set(row.provider, row);
    return new Map([...loaded].map(([id, row]) => [`${ORDER_PREFIX}${id}`, row]));
  },

  async save(db: ClientBase, schema, changed) {
    const rows = [...changed.values()].filter((row) => row !== null);
    await Promise.all([
      insertRows(
        db,
        `${schema}.offers`,
        OFFERS,
        rows.flatMap(({ offer }) => offer ?? []),
        replaced(OFFERS, ['order_id']),
      ),
      insertRows(
        db,
        `${schema}.providers`,
        PROVIDERS,
        rows.flatMap(({ providers }) => [...providers.values()]),
        replaced(PROVIDERS, ['order_id', 'provider']),
      ),
    ]);
  },
};

type Offered = OfferTerms &
  Pick<OfferRow, 'offer_id' | 'round' | 'respond_by'> & {
    readonly providers: readonly string[];
    readonly offered_by?: number;
  };

/** Never throws: an event that refers to another offer or provider changes nothing. */
function foldOffers(row: OffersOfOrder, event: StoredEvent): OffersOfOrder {
  const data = event.data as Readonly<Record<string, never>>;
  const at = recordedAt(event);
  const known = row.providers.get(data['provider']!);
  switch (event.type) {
    case ThirdPartyOffered.type: {
      const { offer_id, round, respond_by, offered_by = null, providers } = event.data as unknown as Offered;
      const terms = termsOf(data);
      const order_id = orderIdOf(event.stream);
      const offer = { order_id, offer_id, round, respond_by, ...terms };
      row.offer = { ...offer, status: 'offered', offered_by, created_at: at, ended_at: null };
      for (const provider of providers)
        row.providers.set(provider, newPart(event, { provider, offer_id, respond_by, ...terms }, 'offered'));
      break;
    }
    case ThirdPartyDeclined.type:
      if (known) Object.assign(known, changed(event, 'declined'), { sealed: [sealedMembersOf(event)] });
      break;
    case ThirdPartyOfferEnded.type: {
      const why = data['why']! as OfferEnd;
      if (row.offer) Object.assign(row.offer, { status: why, ended_at: at });
      for (const part of row.providers.values())
        if (part.status === 'offered') Object.assign(part, changed(event, why === 'taken' ? 'lost' : why));
      break;
    }
    case ThirdPartyTookOrder.type: {
      const { offer_id = null, provider, reference = null, eta_at = null } = event.data as unknown as ProviderOfferRow;
      const offered = known?.offer_id === offer_id ? known : undefined;
      const { respond_by = null, fee = null, currency = null } = offered ?? {};
      const terms = { ...termsOf(data), fee, currency };
      const part = newPart(event, { provider, offer_id, respond_by, ...terms }, 'taken');
      row.providers.set(provider, { ...part, reference, eta_at });
      break;
    }
    case ThirdPartyReturnedOrder.type:
      if (known) Object.assign(known, changed(event, 'returned'), { sealed: [sealedMembersOf(event)] });
      break;
    case ThirdPartySlaMissed.type:
      if (known) known.missed = [...known.missed, data['which']!];
      break;
  }
  return row;
}

const termsOf = ({ pickup_by = null, deliver_by = null, fee = null, currency = null }: Partial<OfferTerms>) => ({
  pickup_by,
  deliver_by,
  fee,
  currency,
});

const changed = (event: StoredEvent, status: ProviderStatus) => ({
  status,
  position: event.position,
  status_since: recordedAt(event),
});

const newPart = (
  event: StoredEvent,
  part: OfferTerms & Pick<ProviderOfferRow, 'provider' | 'offer_id' | 'respond_by'>,
  status: ProviderStatus,
): ProviderOfferRow => ({
  order_id: orderIdOf(event.stream),
  ...part,
  ...changed(event, status),
  reference: null,
  eta_at: null,
  missed: [],
  sealed: [],
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<
    'third_party_offers',
    { 'third_party_offers.offers': OfferRow; 'third_party_offers.providers': ProviderOfferRow }
  > {}
}
