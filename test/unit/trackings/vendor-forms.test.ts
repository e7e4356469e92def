/** Shared parts of the platform formats: time formats, derived numbers, messages. */
import { expect } from 'chai';
import fc from 'fast-check';
import { instantOf } from '../../../src/events/otep/time.js';
import { messageOf } from '../../../src/serializers/support/messages.js';
import { numericId } from '../../../src/serializers/support/vendor-subject.js';
import {
  epochMillis,
  epochSeconds,
  localSeconds,
  naiveUtc,
  rfc2822,
  sqlUtc,
  utcMillis,
  utcSeconds,
} from '../../../src/serializers/support/vendor-times.js';
import { journeyWith } from '../../support/inputs/example-journey.js';
import { time } from '../../support/inputs/timelines.js';
import { runs } from '../../support/depth.js';

describe('vendor forms', () => {
  it('writes every time as its instant, shortened to the format', () => {
    fc.assert(
      fc.property(time, fc.boolean(), (text, lower) => {
        const given = lower ? text.toLowerCase() : text;
        const instant = instantOf(given)!;
        const second = instant.slice(0, 19);
        expect(utcMillis(given)).to.equal(`${instant.slice(0, 23)}Z`);
        expect(utcSeconds(given)).to.equal(`${second}+00:00`);
        expect(naiveUtc(given)).to.equal(second);
        expect(sqlUtc(given)).to.equal(second.replace('T', ' '));
        expect(new Date(epochMillis(given)).toISOString()).to.equal(utcMillis(given));
        expect(epochSeconds(given)).to.equal(Date.parse(`${second}Z`) / 1000);
        expect(new Date(rfc2822(given)).toISOString().slice(0, 19)).to.equal(second);
        expect(instantOf(localSeconds(given))!.slice(0, 19)).to.equal(second);
        expect(localSeconds(given).slice(11, 19)).to.equal(given.slice(11, 19));
      }),
      { numRuns: runs(500) },
    );
  });

  it('keeps the local time of the place, and accepts no offset without a sign', () => {
    expect(localSeconds('2026-01-02T03:04:05.678-03:30')).to.equal('2026-01-02T03:04:05-03:30');
    expect(localSeconds('2026-01-02T03:04:05Z')).to.equal('2026-01-02T03:04:05+00:00');
    expect(localSeconds('2026-01-02T03:04:05-00:00')).to.equal('2026-01-02T03:04:05+00:00');
    expect(rfc2822('2026-01-02T03:04:05Z')).to.equal('Fri, 02 Jan 2026 03:04:05 +0000');
  });

  it('derives positive integers that fit into their field', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(numericId(uuid)).to.satisfy((id: number) => Number.isSafeInteger(id) && id > 0);
        expect(numericId(uuid, 7)).to.be.within(1, 2 ** 31 - 1);
      }),
    );
    expect(numericId('00000000-0000-5000-8000-000000000000')).to.equal(1);
  });

  it('reads an experimental code as words, and prefers the description of the event', () => {
    const [plain, described] = journeyWith([
      { status_code: 'x-customs_hold' },
      { status_code: 'in_transit', description: 'On the ferry' },
    ]).timeline.events;
    expect([messageOf(plain!), messageOf(described!)]).to.deep.equal(['Customs hold', 'On the ferry']);
  });
});
