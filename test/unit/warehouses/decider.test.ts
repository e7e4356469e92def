/** Warehouses: locations by code, blocked or not, and a bay for each route of a day. */
import { expect } from 'chai';
import { MAX_LOCATIONS, warehouses, type WarehouseCommand } from '../../../src/commands/warehouses/decider.js';
import type { Location, Site } from '../../../src/events/warehouses/events.js';
import { commandsTo, given } from '../../support/checks/given.js';

const { of, as } = commandsTo<WarehouseCommand>(7);
const site: Site = {
  name: 'Hub',
  address: { city: 'Berlin' },
  timezone: 'Europe/Berlin',
  opening: [],
  dock_minutes: 10,
};
const open = () => of({ do: 'open', code: 'BER', site });
const location = (code: string, kind: Location['kind'] = 'storage', sequence = 1): Location => ({
  code,
  zone: 'A',
  kind,
  sequence,
});
const put = (...locations: Location[]) => of({ do: 'putLocations', locations });
const bay = (routeId: number, date = '2026-03-01') => of({ do: 'giveBay', routeId, date });

describe('decider of warehouses', () => {
  it('exists from its opening to its closing, for its business', () => {
    const opened = given(warehouses, open());
    expect(opened.refusal(open())).to.equal('CONFLICT');
    expect(opened.refusal(as(2, { do: 'makeDefault' }))).to.equal('WAREHOUSE_NOT_FOUND');
    expect(opened.when(of({ do: 'close' })).then.refusal(of({ do: 'makeDefault' }))).to.equal('WAREHOUSE_NOT_FOUND');
  });

  it('limits the number of locations; replaced ones do not count', () => {
    const many = Array.from({ length: MAX_LOCATIONS }, (_, index) => location(`L${index}`));
    const full = given(warehouses, open(), put(...many));
    expect(full.refusal(put(location('one more')))).to.equal('TOO_MANY_LOCATIONS');
    expect(full.when(put(location('L1', 'dock'))).types).to.deep.equal(['LocationsPut']);
  });

  it('updates only known locations, removes known ones, and unblocks blocked ones', () => {
    const stored = given(warehouses, open(), put(location('L1')));
    const update = { do: 'updateLocation', code: 'L1', reason: 'wet', changes: {} } as const;
    const block = (code: string) => of({ ...update, code, blocked: true });
    const unblock = () => of({ ...update, blocked: false });
    expect(stored.refusal(block('L2'))).to.equal('LOCATION_NOT_FOUND');
    expect(stored.when(unblock()).types).to.deep.equal([]);
    expect(stored.when(block('L1')).then.when(unblock()).types).to.deep.equal(['LocationUnblocked']);
    const moved = stored.when(of({ ...update, changes: { zone: 'north', capacity: undefined }, blocked: true }));
    expect(moved.types, 'in one append').to.deep.equal(['LocationsPut', 'LocationBlocked']);
    expect(moved.facts[0]!.data).to.deep.equal({ locations: [{ ...location('L1'), zone: 'north' }] });
    expect(moved.then.when(of({ ...update, changes: { zone: 'north' } })).types, 'as it is').to.deep.equal([]);
    const remove = of({ do: 'removeLocations', codes: ['L1', 'L2'] });
    expect(stored.when(remove).facts[0]!.data).to.deep.equal({ codes: ['L1'] });
  });

  it('gives each route of a day its bay, or a number without a free staging location', () => {
    const staged = given(warehouses, open(), put(location('S2', 'staging', 2), location('S1', 'staging', 1)));
    const first = staged.when(bay(1));
    expect(first.reply).to.equal('S1');
    const again = first.then.when(bay(1));
    expect([again.types, again.reply]).to.deep.equal([[], 'S1']);
    expect(first.then.when(bay(2)).reply).to.equal('S2');
    expect(first.then.when(bay(2)).then.when(bay(3)).reply).to.equal('3');
    expect(first.then.when(bay(2, '2026-03-02')).reply, 'another day').to.equal('S1');
  });
});
