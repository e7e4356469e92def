/** Captures: a document is recorded once, in parts if it is long, and finished once. */
import { expect } from 'chai';
import { captures, type CaptureCommand } from '../../../src/commands/captures/decider.js';
import { capturedEventId } from '../../../src/events/captures/events.js';
import { given } from '../../support/checks/given.js';

const part = (number: number, digest = 'a'): CaptureCommand => ({
  do: 'part',
  id: 'c1',
  data: { part: number, digest, text: 'x' },
});
const capture: CaptureCommand = {
  do: 'capture',
  id: 'c1',
  data: {
    provider: 'acme',
    kind: 'carrier',
    may_open: true,
    behaviour: 'proceed',
    captured_at: '2026-03-01T10:00:00Z',
    events: 1,
    unattached: [],
    names: [],
    trackings: [],
    parts: 2,
    digest: 'a',
  },
  events: [],
};
const finish: CaptureCommand = {
  do: 'finish',
  id: 'c1',
  data: { provider: 'acme', behaviour: 'proceed', success: true, accepted: 1, duplicates: 0, rejected: 0 },
};

describe('decider of captures', () => {
  it('executes each step once, whichever process repeats it', () => {
    const whole = given(captures, part(1), capture, finish);
    for (const command of [part(1), capture, finish]) expect(whole.when(command).types).to.deep.equal([]);
    expect(whole.past.map(({ type }) => type.type)).to.deep.equal([
      'EpcisCapturePart',
      'EpcisCaptured',
      'EpcisCaptureFinished',
    ]);
  });

  it('keeps parts of different texts separate', () => {
    expect(given(captures, part(1)).when(part(2)).types).to.have.length(1);
    expect(given(captures, part(1)).when(part(1, 'b')).types).to.have.length(1);
  });

  it('names the event that accepted the document', () =>
    expect(given(captures).when(capture).ids).to.deep.equal([capturedEventId('c1')]));
});
