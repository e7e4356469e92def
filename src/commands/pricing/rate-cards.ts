/** Decides commands on a rate card. */
import type { Card } from '../../events/pricing/card.js';
import {
  RATE_CARD_PREFIX,
  RateCardCreated,
  RateCardRetired,
  RateCardVersionPublished,
} from '../../events/pricing/events.js';
import type { Family } from '../../events/pricing/families.js';
import { DomainError } from '../core/domain-error.js';
import { entity, newEvent, type EntityCommand } from '../core/entity.js';

export type RateCardChange =
  | { readonly do: 'create'; readonly family: Family; readonly name: string; readonly currency: string }
  /** `validFrom`: RFC 3339, UTC. `digest`: of the card. */
  | { readonly do: 'publish'; readonly card: Card; readonly digest: string; readonly validFrom: string }
  | { readonly do: 'retire' };
export type RateCardCommand = EntityCommand & RateCardChange & { readonly id: number };

export const MAX_VERSIONS = 200;

interface RateCardState {
  versions: number;
  retired: boolean;
}

export const rateCards = entity<RateCardState, RateCardCommand>({
  name: RATE_CARD_PREFIX,
  makes: 'create',
  notFound: 'RATE_CARD_NOT_FOUND',
  initial: () => ({ versions: 0, retired: false }),
  decide({ versions, retired }, command) {
    switch (command.do) {
      case 'create': {
        const { id, business, family, name, currency } = command;
        return newEvent(RateCardCreated, { rate_card_id: id, business, family, name, currency });
      }
      case 'publish': {
        if (retired) throw new DomainError('RATE_CARD_RETIRED');
        if (versions >= MAX_VERSIONS) throw new DomainError('TOO_MANY_VERSIONS', { most: MAX_VERSIONS });
        const { card, digest, validFrom } = command;
        return newEvent(RateCardVersionPublished, { version: versions + 1, valid_from: validFrom, card, digest });
      }
      case 'retire':
        return retired ? undefined : newEvent(RateCardRetired, {});
    }
  },
  evolve(state, { type }) {
    if (type === RateCardVersionPublished.type) state.versions += 1;
    if (type === RateCardRetired.type) state.retired = true;
    return state;
  },
});
