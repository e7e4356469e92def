/**
 * EPCIS captures in the random mix: documents are captured completely or partly, twice, or by a process that dies and
 * is replaced.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { readCapture } from '../../../../src/api/areas/captures/read.js';
import { EVENT_TYPES } from '../../../../src/areas/index.js';
import { createCapture, type Capture, type CaptureRequest } from '../../../../src/commands/captures/capture.js';
import type { Ingest } from '../../../../src/commands/trackings/ingest.js';
import { derivedId } from '../../../../src/events/otep/identity.js';
import { createCaptureQueries } from '../../../../src/projections/captures/queries.js';
import { createDatabase } from '../../../../src/projections/core/database.js';
import { CAUSE } from '../../worlds/test-core.js';
import { documentOf, newParcel, scan, type Parcel } from '../../inputs/epcis-documents.js';
import { PUSHERS } from './trackings.js';
import type { Area, World } from './world.js';

const PARCELS = 4;

export const captureStep = fc.record({
  act: fc.constantFrom('take', 'take', 'submit', 'submit', 'die', 'resume'),
  /** The driver may not open trackings, so only events without a parcel are accepted from it. */
  by: fc.constantFrom('carrier' as const, 'carrier' as const, 'carrier' as const, 'driver' as const),
  behaviour: fc.constantFrom('proceed' as const, 'rollback' as const),
  events: fc.array(
    fc.record({
      what: fc.oneof(
        { weight: 12, arbitrary: fc.constant('scan' as const) },
        { weight: 3, arbitrary: fc.constant('pair' as const) },
        { weight: 4, arbitrary: fc.constant('measurement' as const) },
        { weight: 1, arbitrary: fc.constant('broken' as const) },
      ),
      parcel: fc.integer({ min: 0, max: PARCELS - 1 }),
      hour: fc.integer({ min: 0, max: 9 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});
export type CaptureStep = typeof captureStep extends fc.Arbitrary<infer T> ? T : never;

type Outcome = 'accepted' | 'duplicate' | 'rejected';

interface PlainJob {
  readonly step: CaptureStep;
  /** Absent until the job is finished. */
  outcomes?: readonly Outcome[];
}

export class Captures implements Area<CaptureStep> {
  readonly #parcels: readonly Parcel[] = Array.from({ length: PARCELS }, newParcel);
  /** By parcel: hours of its scans. */
  readonly #scans = new Map<number, Set<number>>();
  /** `<who> <what>` of events without a parcel. */
  readonly #withoutParcel = new Set<string>();
  readonly #jobs = new Map<string, PlainJob>();
  readonly #capture: Capture;
  readonly #failingCapture: Capture;

  constructor(readonly world: World) {
    const {
      commands,
      engines: { log, keyRing, pool },
      progress,
    } = world.core;
    const directory = createCaptureQueries({ database: createDatabase(pool), keyRing, log, progress });
    const captureWith = (ingest: Ingest) =>
      createCapture({
        handle: commands.captures,
        ingest,
        log,
        types: EVENT_TYPES,
        keyRing,
        directory,
        read: readCapture,
      });
    this.#capture = captureWith(commands.ingest);
    this.#failingCapture = captureWith(
      Object.assign(() => Promise.reject(new Error('dies before the trackings follow')), {
        dryRun: commands.ingest.dryRun,
      }),
    );
  }

  async play(step: CaptureStep): Promise<boolean> {
    const { act, by, behaviour } = step;
    if (act === 'resume') return this.#resume();
    const { nextId, clock } = this.world;
    const request: CaptureRequest = {
      id: nextId(),
      document: documentOf(...step.events.map((one) => this.#eventOf(step, one))),
      behaviour,
      time: clock.now,
    };
    const expected = this.#expectedOutcomes(step, this.#withoutParcel);
    const news = expected.includes('accepted');
    if (act === 'take') {
      const { outcomes } = await this.#capture.take(PUSHERS[by], request, CAUSE);
      expect(
        outcomes.map(({ outcome }) => outcome),
        JSON.stringify(outcomes),
      ).to.deep.equal(expected);
    } else {
      await (act === 'die' ? this.#failingCapture : this.#capture).submit(PUSHERS[by], request, CAUSE);
    }
    // A job always ends, with any outcome. A document that was pushed synchronously and contained no new event has no
    // job.
    if (news || act !== 'take')
      this.#jobs.set(request.id, { step, ...(!(news && act === 'die') && { outcomes: expected }) });
    if (news) this.#store(step, expected, act !== 'die');
    return news;
  }

  /** Finishes the work of a dead process, oldest job first. */
  async #resume(): Promise<boolean> {
    const open = [...this.#jobs].find(([, { outcomes }]) => !outcomes);
    if (!open) return false;
    const [id, job] = open;
    // `#loose` already contains the job's own events, so its events without a parcel are judged against an empty set.
    const outcomes = this.#expectedOutcomes(job.step, new Set());
    await this.#capture.resume(id);
    this.#store(job.step, outcomes, true);
    job.outcomes = outcomes;
    return true;
  }

  /** Returns the expected outcome of each event of a document. */
  #expectedOutcomes({ by, behaviour, events }: CaptureStep, loose: ReadonlySet<string>): Outcome[] {
    const seen = new Set<string>();
    const outcomes = events.map((event): Outcome => {
      if (event.what === 'broken') return 'rejected';
      const [parcel] = parcelsOf(event);
      if (parcel !== undefined && by === 'driver') return 'rejected';
      const name = nameOf(event);
      const known =
        seen.has(name) ||
        (parcel === undefined ? loose.has(`${by} ${name}`) : this.#scans.get(parcel)?.has(hourOf(event)));
      seen.add(name);
      return known ? 'duplicate' : 'accepted';
    });
    return behaviour === 'rollback' && outcomes.includes('rejected') ? outcomes.map(() => 'rejected') : outcomes;
  }

  /** `followed`: the scans of the document are in the timelines. */
  #store({ by, events }: CaptureStep, outcomes: readonly Outcome[], followed: boolean): void {
    events.forEach((event, index) => {
      if (outcomes[index] === 'rejected') return;
      if (event.what === 'measurement') this.#withoutParcel.add(`${by} ${nameOf(event)}`);
      else if (followed)
        for (const parcel of parcelsOf(event))
          this.#scans.set(parcel, (this.#scans.get(parcel) ?? new Set()).add(hourOf(event)));
    });
  }

  #eventOf({ by }: CaptureStep, event: CaptureStep['events'][number]): object {
    const { what, parcel } = event;
    const hour = hourOf(event);
    const named = { eventID: `urn:uuid:${derivedId('capture of the mix', this.world.base, by, nameOf(event))}` };
    const { epcList: _none, ...loose } = scan([], 'stocking', hour, named);
    if (what === 'measurement')
      return {
        ...loose,
        epcList: [],
        sensorElementList: [{ sensorReport: [{ type: 'Temperature', value: parcel, uom: 'CEL' }] }],
      };
    const urns = (what === 'broken' ? [parcel] : parcelsOf(event)).map((one) => this.#parcels[one]!.urn);
    return scan(urns, 'arriving', hour, { ...named, ...(what === 'broken' && { action: 'GUESS' }) });
  }

  async check(): Promise<void> {
    const {
      core: {
        engines: { pool },
        queries,
      },
    } = this.world;
    const { rows } = await pool.query<{
      id: string;
      behaviour: string;
      outcome: { accepted: number; duplicates: number; rejected: number } | null;
    }>('select id, behaviour, outcome from captures.captures where id = any ($1)', [[...this.#jobs.keys()]]);
    const rowsFound = rows.map(({ id, behaviour, outcome }) => ({
      id,
      behaviour,
      counts: outcome && [outcome.accepted, outcome.duplicates, outcome.rejected],
    }));
    const count = (outcomes: readonly Outcome[], wanted: Outcome) => outcomes.filter((one) => one === wanted).length;
    expect(rowsFound).to.have.deep.members(
      [...this.#jobs].map(([id, { step, outcomes }]) => ({
        id,
        behaviour: step.behaviour,
        counts: outcomes
          ? [count(outcomes, 'accepted'), count(outcomes, 'duplicate'), count(outcomes, 'rejected')]
          : null,
      })),
    );
    for (const [parcel, hours] of this.#scans) {
      const [head] = await queries.byIdentifier(`sscc:${this.#parcels[parcel]!.sscc}`);
      const row = (await queries.byId(head!.id))!;
      expect(
        row.scans.map(({ instant }) => Number(instant.slice(11, 13))),
        `parcel ${parcel}`,
      ).to.have.members([...hours]);
    }
  }
}

type MixEvent = CaptureStep['events'][number];

/** A pair is an event about a parcel with an even number and the next one, in hours that single scans do not have. */
function parcelsOf({ what, parcel }: MixEvent): readonly number[] {
  const first = parcel - (parcel % 2);
  return what === 'pair' ? [first, first + 1] : what === 'scan' ? [parcel] : [];
}
const hourOf = ({ what, hour }: MixEvent): number => (what === 'pair' ? 10 + hour : hour);
const nameOf = (event: MixEvent): string =>
  `${event.what} ${event.what === 'pair' ? parcelsOf(event)[0] : event.parcel} ${event.hour}`;
