/** The read models of rate cards and of the default cards. The documents of the versions stay in the log. */
import {
  DefaultCardSet,
  PRICING_PREFIX,
  RATE_CARD_PREFIX,
  RateCardCreated,
  RateCardRetired,
  RateCardVersionPublished,
} from '../../events/pricing/events.js';
import type { Family } from '../../events/pricing/families.js';
import { flag, integer, json, text, type RowOf } from '../core/columns.js';
import { sequence } from '../core/sequence.js';
import { recordedAt, startsWith, table } from '../core/table.js';

/** Ids of rate cards. */
export const RATE_CARD_IDS = sequence('rate_cards', { readModel: 'rate_cards', table: 'rate_cards.rate_cards' });

export interface CardVersion {
  readonly version: number;
  /** RFC 3339, UTC. */
  readonly valid_from: string;
  /** SHA-256 of the canonical document, hexadecimal. */
  readonly digest: string;
  readonly created_at: string;
  /** Revision of the event that contains the document. */
  readonly revision: number;
}

const columns = {
  id: integer(),
  business: integer(),
  family: text<Family>(),
  name: text(),
  currency: text(),
  retired: flag(),
  versions: json<readonly CardVersion[]>(),
  created_at: text(),
  updated_at: text(),
  revision: integer(),
};
export type RateCardRow = RowOf<typeof columns>;

export const rateCards = table({
  name: 'rate_cards',
  version: 1,
  prefixes: [RATE_CARD_PREFIX],
  columns,
  indexes: ['(business, family, id)'],
  fold: startsWith(RateCardCreated, ({ rate_card_id, business, family, name, currency }, event): RateCardRow => ({
    id: rate_card_id,
    business,
    family,
    name,
    currency,
    retired: false,
    versions: [],
    created_at: recordedAt(event),
    updated_at: recordedAt(event),
    revision: event.revision,
  }))
    .on(RateCardVersionPublished, ({ version, valid_from, digest }, { versions }, event) => ({
      versions: [...versions, { version, valid_from, digest, created_at: recordedAt(event), revision: event.revision }],
      updated_at: recordedAt(event),
    }))
    .on(RateCardRetired, (_data, _row, event) => ({ retired: true, updated_at: recordedAt(event) })),
});

const defaultColumns = { business: integer(), cards: json<Partial<Readonly<Record<Family, number>>>>() };
export type DefaultCardsRow = RowOf<typeof defaultColumns>;

const changed = (
  { cards }: Pick<DefaultCardsRow, 'cards'>,
  { family, rate_card_id }: { readonly family: Family; readonly rate_card_id?: number | undefined },
) => {
  const { [family]: _before, ...rest } = cards;
  return { cards: rate_card_id === undefined ? rest : { ...rest, [family]: rate_card_id } };
};

export const defaultCards = table({
  name: 'default_cards',
  version: 1,
  prefixes: [PRICING_PREFIX],
  columns: defaultColumns,
  key: 'business',
  fold: startsWith(DefaultCardSet, ({ business, ...set }): DefaultCardsRow => ({
    business,
    ...changed({ cards: {} }, set),
  })).on(DefaultCardSet, (set, row) => changed(row, set)),
});

declare module '../core/projection.js' {
  interface ReadModels
    extends
      Record<'rate_cards', { 'rate_cards.rate_cards': RateCardRow }>,
      Record<'default_cards', { 'default_cards.default_cards': DefaultCardsRow }> {}
}
