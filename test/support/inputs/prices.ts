/** Prices of the pricing tests: a card must be valid, and its outcome is shown as one text per line. */
import { expect } from 'chai';
import { checkCard } from '../../../src/commands/pricing/check-card.js';
import { compileCard, type CardTerms } from '../../../src/commands/pricing/compile.js';
import { price } from '../../../src/commands/pricing/price.js';
import { cardSchema, type Card } from '../../../src/events/pricing/card.js';
import { priceInputsSchema, type PriceInputs } from '../../../src/events/pricing/inputs.js';
import type { PriceLine, ServiceOutcome } from '../../../src/events/pricing/outcome.js';

/** Requested on a Monday morning. */
export const INPUTS: PriceInputs = {
  from: { country: 'DE', postal_code: '10115' },
  to: { country: 'DE', postal_code: '80331' },
  packages: [],
  requested: { date: '2026-03-02', time: '09:00' },
};

const TERMS: CardTerms = { family: 'shipping_service', currency: 'EUR' };

/** The outcomes of all services. The card and the inputs must have the form of their schemas and no fault. */
export function outcomesOf(
  card: Card,
  inputs: Partial<PriceInputs>,
  terms: Partial<CardTerms> = {},
): readonly ServiceOutcome[] {
  const complete = { ...TERMS, ...terms };
  const parsed = cardSchema.parse(card);
  expect(checkCard(parsed, complete)).to.deep.equal([]);
  return price(compileCard(parsed, complete), priceInputsSchema.parse({ ...INPUTS, ...inputs }));
}

/** The outcome of the only service, as texts: its lines and its total, or the code of the refusal. */
export function shown(card: Card, inputs: Partial<PriceInputs>, terms: Partial<CardTerms> = {}): string[] {
  const [outcome, ...others] = outcomesOf(card, inputs, terms);
  expect(others).to.deep.equal([]);
  return textsOf(outcome!);
}

export const textsOf = (outcome: ServiceOutcome): string[] =>
  'refused' in outcome ? [outcome.refused] : [...outcome.lines.map(textOf), `total ${outcome.total}`];

/** `base 9.90 (packages 1, ...)`. */
function textOf({ kind, code, amount, taxable, is_included, basis }: PriceLine): string {
  const numbers = Object.entries(basis).map(([name, value]) => `${name} ${value}`);
  const marks = [...(taxable || kind === 'tax' ? [] : ['untaxed']), ...(is_included ? ['included'] : [])];
  return [kind === code ? kind : `${kind} ${code}`, amount, ...marks, `(${numbers.join(', ')})`].join(' ');
}

/** A card of one service for all shipments. */
export const cardOf = (members: Partial<Card>): Card => ({ services: [{ code: 'ROAD' }], ...members });

/** Weight breaks of the service ROAD without lanes. */
export const BREAKS = [
  { up_to_kg: 2, amount: '5.90' },
  { up_to_kg: 5, amount: '9.90' },
  { up_to_kg: 10, amount: '14.90' },
  { above_kg: 10, base: '14.90', per_kg: '1.20' },
];
export const TABLE: NonNullable<Card['table']> = [{ service: 'ROAD', lane: '*', breaks: BREAKS }];
