/**
 * Lives as the service records them: scans over two years in several pushes, reported again with other members, retracted
 * and reused; each life in the public and in the full view.
 */
import fc from 'fast-check';
import { readEvent, type InputEvent } from '../../../src/events/otep/check/event.js';
import { PROFILE, type Journey, type Subject } from '../../../src/events/otep/model.js';
import { DAY_MS, millisOf } from '../../../src/events/otep/time.js';
import { journeyOfLife } from '../../../src/projections/trackings/journeys.js';
import { livesOf } from '../../../src/projections/trackings/lives.js';
import { livesOfNetwork } from '../../../src/projections/trackings/network-lives.js';
import { fixedKeys, recordPushes } from '../worlds/recording.js';
import { NOW, scan, subject } from './timelines.js';

interface Pushes {
  readonly subject: Subject;
  readonly pushes: readonly (readonly InputEvent[])[];
}

/** Reports of scans; each is in one of the pushes. */
export const pushes: fc.Arbitrary<Pushes> = fc
  .record({
    subject,
    reports: fc.array(
      fc.record({
        scan: scan(),
        days: fc.constantFrom(0, 0, 1, 200, 400),
        /** The scan that this report describes again, with its own members. */
        again: fc.option(fc.nat(7)),
        hasId: fc.boolean(),
        push: fc.nat(2),
        isRetracted: fc.constantFrom(false, false, false, true),
      }),
      { minLength: 1, maxLength: 10 },
    ),
  })
  .map(({ subject, reports }) => {
    const scans = reports.map(({ scan: { event, instant }, days, hasId }) => {
      const { event_id, otep_version: _v, recorded_at: _r, ...members } = event;
      const occurred_at = new Date(millisOf(instant) - days * DAY_MS).toISOString();
      return { ...members, occurred_at, ...(hasId && { event_id }) };
    });
    const events = reports.map(({ again }, index) => {
      const first = again === null ? undefined : scans[again % scans.length];
      if (!first) return scans[index]!;
      const { occurred_at, status_code, event_id, phase } = first;
      const { proof: _proof, phase: _phase, ...more } = scans[index]!;
      return { ...more, ...(first.raw && { raw: first.raw }), occurred_at, status_code, event_id, phase };
    });
    const retractions = reports.flatMap(({ isRetracted }, index) => {
      const { event_id, occurred_at } = events[index]!;
      return isRetracted && event_id !== undefined ? [{ retracts: event_id, occurred_at }] : [];
    });
    const parts = [0, 1, 2].map((push) => events.filter((_, index) => reports[index]!.push === push));
    return { subject, pushes: [...parts, retractions].map((part) => part.map(inputOf)) };
  });

function inputOf(event: object): InputEvent {
  const plain: unknown = JSON.parse(JSON.stringify(event));
  const read = readEvent(plain, { path: '', now: NOW, profile: PROFILE });
  if (!read.event) throw new Error(JSON.stringify(read.errors));
  return read.event;
}

/** The journeys of all lives in both views. */
export async function journeysOf({ subject, pushes }: Pushes): Promise<Journey[]> {
  const { row } = await recordPushes(subject, pushes);
  const keys = await fixedKeys().existing([row.id]);
  return livesOf([row]).flatMap((life) =>
    [{ kind: 'public' } as const, { kind: 'full', keys } as const].map((view) => journeyOfLife(life, view, NOW)),
  );
}

/** The public journeys of all lives of a number that two carriers of a network share; both reported the pushes. */
export async function networkJourneysOf({ subject, pushes }: Pushes): Promise<Journey[]> {
  const carriers = ['demo-carrier', 'other-carrier'];
  const parcels = await Promise.all(
    carriers.map(async (provider, index) => {
      const { row } = await recordPushes(subject, pushes, { provider, from: index * 1_000 });
      return { carrier: provider, rows: [row] };
    }),
  );
  const shared = { network: 'upu', subject: { tracking_number: 'RR473124829GB' } } as const;
  return livesOfNetwork(shared, parcels, [parcels[0]!.rows[0]!.number]).map((life) => {
    const [carrier = carriers[0]!, ...alternatives] = life.carriers;
    return {
      ...journeyOfLife(life, { kind: 'public' }, NOW),
      carrierMatch: { carrier, alternatives, carriers: life.carriers },
    };
  });
}
