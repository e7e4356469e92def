/** Rate cards and default cards: versions are numbered without gaps, and a retired card gets none. */
import { expect } from 'chai';
import { defaultCards, type DefaultCardCommand } from '../../../src/commands/pricing/default-cards.js';
import { MAX_VERSIONS, rateCards, type RateCardCommand } from '../../../src/commands/pricing/rate-cards.js';
import { cardDigest, cardSchema } from '../../../src/events/pricing/card.js';
import { commandsTo, given } from '../../support/checks/given.js';
import { simpleCard } from '../../support/inputs/shipments.js';

const card = cardSchema.parse(simpleCard());
const validFrom = '2027-01-01T00:00:00.000Z';

describe('decider of rate cards', () => {
  const { of, as } = commandsTo<RateCardCommand>(7);
  const create = () => of({ do: 'create', family: 'local_delivery', name: 'City', currency: 'EUR' });
  const publish = () => of({ do: 'publish', card, digest: cardDigest(card), validFrom });

  it('numbers the versions from 1', () => {
    const { facts } = given(rateCards, create(), publish()).when(publish());
    expect(facts[0]!.data).to.include({ version: 2, valid_from: validFrom, digest: cardDigest(card) });
  });

  it('publishes at most 200 versions', () => {
    const full = given(rateCards, create(), ...Array.from({ length: MAX_VERSIONS }, publish));
    expect(full.refusal(publish())).to.equal('TOO_MANY_VERSIONS');
  });

  it('publishes nothing for a retired card, and retires it once', () => {
    const retired = given(rateCards, create(), of({ do: 'retire' }));
    expect(retired.refusal(publish())).to.equal('RATE_CARD_RETIRED');
    expect(retired.when(of({ do: 'retire' })).types).to.deep.equal([]);
  });

  it('knows no card of another business', () => {
    expect(given(rateCards, create()).refusal(as(2, { do: 'retire' }))).to.equal('RATE_CARD_NOT_FOUND');
    expect(given(rateCards).refusal(publish())).to.equal('RATE_CARD_NOT_FOUND');
  });
});

describe('decider of default cards', () => {
  const { of } = commandsTo<DefaultCardCommand>(1);
  const set = (rateCardId?: number) => of({ do: 'set', family: 'local_delivery', rateCardId });

  it('records differences', () => {
    const chosen = given(defaultCards, set(5));
    expect(chosen.when(set(5)).types).to.deep.equal([]);
    expect(chosen.when(set(6)).facts[0]!.data).to.include({ family: 'local_delivery', rate_card_id: 6 });
    expect(chosen.when(set()).facts[0]!.data).not.to.have.property('rate_card_id');
    expect(given(defaultCards, set(5), set()).when(set()).types).to.deep.equal([]);
  });
});
