/** Return reasons: every business begins with twelve, and a retired code is never used again. */
import { expect } from 'chai';
import {
  MAX_RETURN_REASONS,
  returnReasons,
  type ReturnReasonCommand,
} from '../../../src/commands/return-reasons/decider.js';
import { LANGUAGES } from '../../../src/events/core/languages.js';
import { incidentReason } from '../../../src/events/otep/reasons.js';
import type { ReturnReason } from '../../../src/events/return-reasons/events.js';
import { SEED } from '../../../src/events/return-reasons/seed.js';
import { commandsTo, given } from '../../support/checks/given.js';

const { of, as } = commandsTo<ReturnReasonCommand>(1);
const reason = (code: string, more: Partial<ReturnReason> = {}): ReturnReason => ({
  code,
  labels: { en: code },
  needs_note: false,
  needs_photo: false,
  active: true,
  sort: 1,
  ...more,
});
const set = (code: string, more: Partial<ReturnReason> = {}) =>
  of({ do: 'change', change: { set: reason(code, more) } });
const retire = (code: string) => of({ do: 'change', change: { retire: code } });

describe('decider of return reasons', () => {
  it('begins with twelve reasons in all languages', () => {
    expect(SEED).to.have.length(12);
    for (const { code, labels, incident_reason } of SEED) {
      expect(Object.keys(labels), code).to.have.members([...LANGUAGES]);
      if (incident_reason !== undefined) expect(incidentReason(incident_reason), code).to.not.equal(undefined);
    }
  });

  it('records differences, also to the seed', () => {
    expect(given(returnReasons).when(of({ do: 'change', change: { set: SEED[0]! } })).types).to.deep.equal([]);
    expect(given(returnReasons).when(set('damaged')).types).to.deep.equal(['ReturnReasonSet']);
    expect(given(returnReasons, set('late')).when(set('late')).types).to.deep.equal([]);
    expect(given(returnReasons, set('late')).when(set('late', { active: false })).types).to.deep.equal([
      'ReturnReasonSet',
    ]);
  });

  it('retires a code for good', () => {
    const retired = given(returnReasons, set('late'), retire('late'), retire('color'));
    expect(retired.when(retire('late')).types).to.deep.equal([]);
    expect(retired.refusal(set('late'))).to.equal('CONFLICT');
    expect(retired.refusal(set('color'))).to.equal('CONFLICT');
    expect(retired.refusal(retire('never'))).to.equal('RETURN_REASON_NOT_FOUND');
  });

  it('limits the number of codes, including retired codes', () => {
    const own = Array.from({ length: MAX_RETURN_REASONS - SEED.length }, (_, n) => set(`reason_${n}`));
    const full = given(returnReasons, ...own, retire('reason_1'));
    expect(full.refusal(set('one_more'))).to.equal('TOO_MANY_RETURN_REASONS');
    expect(full.when(set('reason_2', { sort: 9 })).types).to.deep.equal(['ReturnReasonSet']);
  });

  it('knows no reasons of another business', () => {
    const known = given(returnReasons, set('late'));
    expect(known.refusal(as(2, { do: 'change', change: { retire: 'late' } }))).to.equal('RETURN_REASON_NOT_FOUND');
  });
});
