/** How a tracking records the delivery plan. */
import { expect } from 'chai';
import { trackings } from '../../../src/commands/trackings/decider.js';
import type { TrackingCommand } from '../../../src/commands/trackings/command.js';
import { DomainError } from '../../../src/commands/core/domain-error.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import { PROFILE } from '../../../src/events/otep/model.js';
import { given } from '../../support/checks/given.js';

const id = derivedId('test', 'planned');
const planned = (order_revision: number) => ({
  date: '2026-03-05',
  windows: [],
  by: '2026-03-05T23:59:59+01:00',
  order_revision,
});
const plan = (order_revision: number): TrackingCommand => ({ kind: 'plan', id, planned: planned(order_revision) });
const planCommand = (order_revision?: number): TrackingCommand => ({
  kind: 'push',
  id,
  provider: 'business:1',
  subject: { tracking_number: 'A1' },
  pushed: [
    {
      scan: {
        event_id: 'e1',
        provider: 'business:1',
        otep_version: '0.1',
        occurred_at: '2026-03-01T08:00:00Z',
        instant: '2026-03-01T08:00:00.000000000Z',
        status_code: 'information_submitted',
      },
    },
  ],
  opening: { owner: { kind: 'business', id: '1' }, number: 'A1', generation: 0, profile: PROFILE },
  ...(order_revision !== undefined && { planned: planned(order_revision) }),
});

describe('a tracking with a planned delivery', () => {
  it('records the plan with the first scan, in one append', () => {
    expect(given(trackings).when(planCommand(0)).types).to.deep.equal([
      'TrackingOpened',
      'TrackingEventRecorded',
      'TrackingDeliveryPlanned',
    ]);
    expect(given(trackings, planCommand()).when(planCommand(0)).types, 'the scan was known').to.deep.equal([
      'TrackingDeliveryPlanned',
    ]);
  });

  it('remembers earlier plans, and ignores outdated ones that arrive late', () => {
    const past = given(trackings, planCommand(0), plan(4));
    for (const command of [planCommand(0), plan(4), plan(2)]) expect(past.when(command).facts).to.deep.equal([]);
    const { facts, ids } = past.when(plan(5));
    expect(facts).to.deep.equal([{ type: 'TrackingDeliveryPlanned', data: planned(5) }]);
    expect(past.when(plan(6)).ids).to.not.deep.equal(ids);
    expect(past.when(plan(5)).ids).to.deep.equal(ids);
  });

  it('exists before it is planned', () => {
    expect(() => given(trackings).when(plan(0))).to.throw(DomainError);
  });
});
