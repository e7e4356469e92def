/** Points of interest: created once, changed and archived only by their business. */
import { expect } from 'chai';
import { pois, type PoiCommand } from '../../../src/commands/pois/decider.js';
import type { Place } from '../../../src/events/pois/events.js';
import { commandsTo, given } from '../../support/checks/given.js';

const { of, as } = commandsTo<PoiCommand>(7);
const place: Place = {
  name: 'Hub',
  category: 'depot',
  position: { latitude: 52.5, longitude: 13.4 },
  opening_hours: [],
  tags: [],
  visibility: 'business',
};
const create = () => of({ do: 'create', place });
const rename = { do: 'change', place: { name: 'Hub North' } } as const;

describe('decider of points of interest', () => {
  it('creates a point once', () => {
    const command = create();
    const created = given(pois).when(command);
    expect(created.facts).to.deep.equal([{ type: 'PoiCreated', data: { poi_id: 7, business: 1, ...place } }]);
    expect(created.then.when(command).types, 'a retry').to.deep.equal([]);
    expect(created.then.refusal(create())).to.equal('CONFLICT');
  });

  it('records changed members, only for its own business', () => {
    expect(given(pois, create()).when(of(rename)).facts).to.deep.equal([
      { type: 'PoiChanged', data: { name: 'Hub North' } },
    ]);
    expect(given(pois, create()).refusal(as(2, rename))).to.equal('POI_NOT_FOUND');
    expect(given(pois).refusal(of(rename))).to.equal('POI_NOT_FOUND');
  });

  it('has no point after it was archived', () => {
    const archived = given(pois, create(), of({ do: 'archive' }));
    expect(archived.refusal(of(rename))).to.equal('POI_NOT_FOUND');
  });
});
