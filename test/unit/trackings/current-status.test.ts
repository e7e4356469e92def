/** Rule 2 of the protocol: the events that change the status, and the marks of the other events. */
import { expect } from 'chai';
import { STATUS_CODES } from '../../../src/events/otep/codes.js';
import { deriveTimeline, type Scan } from '../../../src/events/otep/timeline.js';
import { instantAt } from '../../../src/events/otep/time.js';
import { journeyOf } from '../../../src/events/otep/identity.js';
import { FORMATS } from '../../../src/serializers/index.js';

const DAY = 24 * 3_600_000;
const NOW = Date.UTC(2026, 10, 20);

/** `at`: days before now. */
const scan = (status_code: string, at: number, phase?: 'exception'): Scan => ({
  instant: instantAt(NOW - at * DAY),
  event: {
    otep_version: '0.1',
    event_id: `${status_code} ${at}`,
    occurred_at: new Date(NOW - at * DAY).toISOString(),
    status_code,
    ...(phase && { phase }),
  },
});
const timelineOf = (...scans: readonly Scan[]) => deriveTimeline({ tracking_number: 'N1' }, scans, instantAt(NOW));
const marksOf = (...scans: readonly Scan[]) => timelineOf(...scans).events.map(({ anomaly }) => anomaly ?? '');

/** The document of each format without anomaly marks as text. */
const unmarked = (...scans: readonly Scan[]) =>
  FORMATS.filter(({ name }) => ['aftership', 'shopify', 'shippo', 'magento'].includes(name)).map((format) =>
    JSON.stringify(format.serialize(journeyOf(timelineOf(...scans)), { baseUrl: 'https://example.org' })),
  );

describe('the current status', () => {
  it('is not replaced by a late event before shipment (field-tracking F6)', () => {
    const scanned = timelineOf(scan('out_for_delivery', 3), scan('information_submitted', 2));
    expect(scanned.current_status).to.equal('out_for_delivery');
    expect(scanned.events.map(({ anomaly }) => anomaly)).to.deep.equal(['before_creation', undefined]);
    for (const { code, phase } of STATUS_CODES) {
      const late = timelineOf(scan(code, 3), scan('awaiting_pickup', 2)).current_status;
      const isBefore = phase === 'pre_shipment' || ['pickup_failed', 'pickup_rescheduled'].includes(code);
      const isPlanning = ['removed_from_route', 'route_cancelled'].includes(code);
      expect(late, code).to.equal(isBefore || isPlanning ? 'awaiting_pickup' : code);
    }
  });

  it('is not replaced by an event before shipment after an exception of a parcel under way', () => {
    const late = timelineOf(scan('in_transit', 4), scan('pickup_failed', 3), scan('awaiting_pickup', 2));
    expect(late.current_status).to.equal('pickup_failed');
  });

  it('marks every event after the end, terminal events too (field-tracking F9, formats F12)', () => {
    expect(marksOf(scan('cancelled', 4), scan('in_transit', 3), scan('delivered', 2))).to.deep.equal([
      '',
      'after_terminal',
      'after_terminal',
    ]);
    expect(marksOf(scan('return_to_sender', 4), scan('delivered', 2))).to.deep.equal(['', 'after_terminal']);
    expect(marksOf(scan('delivered', 2), scan('delivered', -1))).to.deep.equal(['', 'in_the_future']);
  });

  it('formats without marks list no event after the end (field-tracking F9)', () => {
    for (const document of unmarked(scan('return_to_sender', 4), scan('delivered', 2)))
      expect(document).not.to.match(/delivered(?!_at)/i);
  });

  it('no format reports an event in the future as done (formats F8)', () => {
    for (const document of unmarked(scan('in_transit', 4), scan('delivered', -0.25)))
      expect(document).not.to.match(/delivered(?!_at)/i);
    const uncefact = FORMATS.find(({ name }) => name === 'uncefact')!;
    for (const representation of [uncefact, ...uncefact.variants!]) {
      const timeline = timelineOf(scan('in_transit', 4), scan('delivered', -0.25));
      const document = JSON.stringify(
        representation.serialize(journeyOf(timeline), { baseUrl: 'https://example.org' }),
      );
      expect(document.match(/"actualOccurrenceDateTime":"[^"]*"/g)).to.have.length(1);
      expect(document.match(/"estimatedOccurrenceDateTime":"[^"]*"/g)).to.have.length(1);
      expect(document).not.to.match(/"conditionCode":\{"content":"21"/);
    }
  });
});
