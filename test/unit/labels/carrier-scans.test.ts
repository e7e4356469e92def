/** Writing the events of carriers: timelines that are not open yet, and numbers that fail. */
import { expect } from 'chai';
import { createCarrierScans, type CarrierScansOptions } from '../../../src/areas/wiring/carrier-scans.js';
import type { CarrierAdapter, CarrierTrackingEvent } from '../../../src/engines/outside/carriers/port.js';
import { StatusTable } from '../../../src/projections/providers/status-table.js';

const ACCOUNT = { id: 9, business: 4, adapter: 'double' };
const ADAPTER = { id: 'double', statusMapping: [] } as unknown as CarrierAdapter;
const eventOf = (number: string): CarrierTrackingEvent => ({
  tracking_number: number,
  event_id: `event of ${number}`,
  occurred_at: '2026-05-04T03:02:01Z',
  raw_status: 'GONE',
});

/** `opened`: numbers with a timeline. `labelled`: numbers with a label, by the account. */
function scansWith({ opened = new Set<string>(), labelled = new Map<string, number>(), fails = '' } = {}) {
  const followed: string[] = [];
  const written: string[] = [];
  const ingest = (_pusher: unknown, [timeline]: { subject: { tracking_number: string }; events: unknown[] }[]) => {
    const { subject, events } = timeline!;
    const { tracking_number: number } = subject;
    if (number === fails) throw new Error('The log is not available.');
    const isOpen = opened.has(number);
    if (isOpen) written.push(number);
    const outcome = isOpen
      ? { outcome: 'accepted', event_id: '1' }
      : { outcome: 'rejected', code: 'UNKNOWN_SHIPMENT', event_id: '1' };
    return Promise.resolve({ outcomes: [events.map(() => outcome)] });
  };
  const scans = createCarrierScans({
    log: { head: () => Promise.resolve('7') },
    ingest: ingest as unknown as CarrierScansOptions['ingest'],
    follow: (stream: string) => {
      followed.push(stream);
      for (const number of labelled.keys()) opened.add(number);
      return Promise.resolve(undefined);
    },
    labels: {
      byTrackingNumber: (number: string) => {
        const account = labelled.get(number);
        return Promise.resolve(account === undefined ? undefined : ({ id: 31, account_id: account } as never));
      },
    },
    parcels: { of: () => Promise.resolve(new Map()) },
    providers: {
      of: () =>
        Promise.resolve({
          id: 'carrier-double-9',
          mapping: new StatusTable([{ raw: 'gone', status_code: 'package_outbound' }]),
          carrierCodes: null,
        }),
    } as unknown as CarrierScansOptions['providers'],
    recordUnmapped: () => undefined,
    logger: { warn: () => undefined } as unknown as CarrierScansOptions['logger'],
    now: () => Date.parse('2026-05-04T12:00:00Z'),
    progress: { waitFor: () => Promise.resolve(true) } as unknown as CarrierScansOptions['progress'],
  });
  return { scans, followed, written };
}

describe('scans of carriers', () => {
  it('open the timeline of a label whose process ended before it did', async () => {
    const { scans, followed, written } = scansWith({ labelled: new Map([['N-1', 9]]) });
    const { statuses } = await scans.write(ACCOUNT, ADAPTER, [eventOf('N-1')]);
    expect([followed, written]).to.deep.equal([['label-31'], ['N-1']]);
    expect(statuses.get('N-1')).to.deep.equal(['package_outbound']);
  });

  it('change nothing for a number without a label, or with a label of another account', async () => {
    const { scans, followed, written } = scansWith({ labelled: new Map([['N-2', 8]]) });
    const { statuses, failed } = await scans.write(ACCOUNT, ADAPTER, [eventOf('N-2'), eventOf('N-3')]);
    expect([followed, written, failed.size]).to.deep.equal([[], [], 0]);
    expect([...statuses.values()]).to.deep.equal([[], []]);
  });

  it('of a number that fails do not prevent those of others', async () => {
    const { scans, written } = scansWith({ opened: new Set(['N-4', 'N-5']), fails: 'N-4' });
    const { statuses, failed } = await scans.write(ACCOUNT, ADAPTER, [eventOf('N-4'), eventOf('N-5')]);
    expect(written).to.deep.equal(['N-5']);
    expect([[...failed.keys()], [...statuses.keys()]]).to.deep.equal([['N-4'], ['N-5']]);
  });
});
