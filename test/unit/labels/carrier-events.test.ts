/** Events of carriers as scans: their ids, unreadable members, and sources that know only the current status. */
import { expect } from 'chai';
import { readCarrierEvent, type CarrierScan } from '../../../src/areas/wiring/carrier-events.js';
import type { CarrierTrackingEvent } from '../../../src/engines/outside/carriers/port.js';
import { StatusTable } from '../../../src/projections/providers/status-table.js';

const NOW = Date.parse('2026-06-10T12:00:00Z');
const provider = {
  id: 'carrier-double-8',
  mapping: new StatusTable([{ raw: 'LEFT', status_code: 'package_outbound' }]),
  carrierCodes: null,
};
const event = (more: Partial<CarrierTrackingEvent> = {}): CarrierTrackingEvent => ({
  tracking_number: 'D8-1',
  event_id: 'carrier id with blanks',
  occurred_at: '2026-06-09T08:30:00Z',
  raw_status: 'left',
  description: 'Left the depot',
  place: { city: 'Ghent', country: 'BE' },
  ...more,
});
const read = (one: CarrierTrackingEvent): CarrierScan => {
  const found = readCarrierEvent(one, provider, NOW);
  if (!('pushed' in found)) throw new Error(found.codes.join());
  return found;
};

describe('events of carriers', () => {
  it('become scans with the status of the table, and an id that follows from that of the carrier', () => {
    const { pushed, unmapped, omitted } = read(event());
    expect(pushed.scan).to.deep.include({
      provider: provider.id,
      status_code: 'package_outbound',
      raw: { code: 'left' },
      description: 'Left the depot',
      source: { type: 'carrier' },
      location: { city: 'Ghent', country: 'BE' },
    });
    expect([unmapped, omitted, pushed.rule]).to.deep.equal([[], [], undefined]);
    expect(read(event()).pushed.scan!.event_id).to.equal(pushed.scan!.event_id);
    expect(read(event({ event_id: 'another' })).pushed.scan!.event_id).to.not.equal(pushed.scan!.event_id);
  });

  it('are kept without a status if no table has their raw status', () => {
    const { pushed, unmapped } = read(event({ raw_status: 'SOMEWHERE' }));
    expect(pushed.scan!.status_code).to.equal('x-unmapped');
    expect(unmapped).to.deep.equal([{ raw: 'SOMEWHERE', tracking_number: 'D8-1' }]);
  });

  it('lose the members that cannot be stored, and only these', () => {
    const abroad = read(event({ place: { city: 'Ghent', country: 'Belgium' } }));
    expect([abroad.omitted, abroad.pushed.scan!.location]).to.deep.equal([['place'], undefined]);
    expect(abroad.pushed.scan!.description).to.equal('Left the depot');
    const odd = read(event({ description: 'Left\u0000' }));
    expect([odd.omitted, odd.pushed.scan!.description]).to.deep.equal([['description', 'place'], undefined]);
    expect(read(event({ description: 'y'.repeat(2_000) })).pushed.scan!.description).to.equal('y'.repeat(1_000));
  });

  it('are refused without a usable time or status', () => {
    for (const [more, code] of [
      [{ occurred_at: '2026-06-12T12:00:01Z' }, 'TOO_FAR_AHEAD'],
      [{ occurred_at: 'yesterday' }, 'INVALID_TIME'],
      [{ raw_status: 'z'.repeat(200) }, 'TOO_LONG'],
    ] as const) {
      const found = readCarrierEvent(event(more), provider, NOW);
      expect('codes' in found && found.codes).to.include(code);
    }
  });

  it('of a current status count only if the status changes, and are marked', () => {
    const { pushed } = read(event({ is_current_status: true }));
    expect(pushed.rule).to.equal('status_change');
    expect(pushed.scan!.source).to.deep.equal({ type: 'carrier', ref: 'synthesized' });
    expect(read(event({ is_current_status: true, event_id: 'another' })).pushed.scan!.event_id).to.equal(
      pushed.scan!.event_id,
    );
  });
});
