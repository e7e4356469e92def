/** Compiles a rate card for fast pricing. A process compiles each version of a card once. */
import { digitsOf } from '../../events/core/money.js';
import type { Card } from '../../events/pricing/card.js';
import type { Family } from '../../events/pricing/families.js';
import type { Base } from './base-price.js';
import { compileBase } from './base.js';
import type { ItemPrices } from './items.js';
import { LaneFinder } from './lane-finder.js';
import { weighingOf, type Weighing } from './parcel.js';
import { compileService, type CompiledService } from './service.js';
import { compileSurcharge, type CompiledSurcharge } from './surcharges.js';
import { compileTax, type CompiledTax } from './taxes.js';
import { zoneFinder, type ZoneFinder } from './zone-finder.js';

/** Members of the rate card resource that its document does not repeat. */
export interface CardTerms {
  readonly family: Family;
  /** ISO 4217. */
  readonly currency: string;
}

export interface CompiledCard {
  readonly card: Card;
  /** Digits of the currency. */
  readonly digits: number;
  readonly services: ReadonlyMap<string, CompiledService>;
  readonly zoneOf: ZoneFinder;
  readonly lanes: LaneFinder;
  readonly weighing: Weighing;
  readonly base: Base;
  readonly items: ItemPrices;
  readonly surcharges: readonly CompiledSurcharge[];
  readonly taxes: readonly CompiledTax[];
}

/** The card must have passed `checkCard`. */
export function compileCard(card: Card, { family, currency }: CardTerms): CompiledCard {
  const digits = digitsOf(currency);
  return {
    card,
    digits,
    services: new Map(card.services.map((service) => [service.code, compileService(service)])),
    zoneOf: zoneFinder(card.zones ?? []),
    lanes: new LaneFinder(card.lanes ?? []),
    weighing: weighingOf(card.weight),
    base: compileBase(card, family, digits),
    items: new Map((card.items ?? []).map((item) => [item.code, 'amount' in item ? item.amount : undefined])),
    surcharges: (card.surcharges ?? []).map((surcharge) => compileSurcharge(surcharge, digits)),
    taxes: (card.taxes ?? []).map(compileTax),
  };
}
