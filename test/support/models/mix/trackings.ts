/**
 * Trackings in the random mix. Providers push, repeat, contradict and retract scans, drivers gain and lose access, and
 * users are erased.
 */
import { expect } from 'chai';
import type { Pusher } from '../../../../src/commands/trackings/targets.js';
import { derivedId } from '../../../../src/events/otep/identity.js';
import { instantAt } from '../../../../src/events/otep/time.js';
import { trackingId, trackingStream, type PlannedDelivery } from '../../../../src/events/trackings/events.js';
import { journeyOfRow } from '../../../../src/projections/trackings/journeys.js';
import { CAUSE } from '../../worlds/test-core.js';
import { retraction, scan } from '../../inputs/input-events.js';
import {
  scanName,
  statusOf,
  textOf,
  timeOf,
  TrackingsModel,
  type PlainTracking,
  type PusherName,
  type TrackingStep,
} from './trackings-model.js';
import { accepts, type Area, type World } from './world.js';

export const PUSHERS: Readonly<Record<PusherName, Pusher>> = {
  carrier: { id: 'mix-carrier', kind: 'carrier', mayOpen: true },
  other: { id: 'mix-other', kind: 'carrier', mayOpen: true },
  driver: { id: 'mix-driver', kind: 'driver', mayOpen: false },
};

/** Later than every scan. */
const LATER = instantAt(Date.UTC(2027, 0, 1));

/** Returns the plan in the order's event of a revision. */
const planOf = (order_revision: number): PlannedDelivery => ({
  date: '2026-01-20',
  windows: [],
  by: `2026-01-20T${10 + order_revision}:00:00+01:00`,
  order_revision,
});

export class Trackings implements Area<TrackingStep> {
  readonly #model = new TrackingsModel();
  readonly #erased = new Set<string>();

  constructor(readonly world: World) {}

  async play(step: TrackingStep): Promise<boolean> {
    const { act, pusher, number, slots } = step;
    if (act === 'push' || act === 'retract') return this.#pushOrRetract(step);
    if (act === 'erase') return this.#erase(pusher === 'other' ? 'other' : 'carrier', number);
    const tracking = this.#model.of('carrier', number);
    const id = this.#idOf('carrier', number);
    const may = tracking !== undefined || act === 'revoke';
    const command =
      act === 'plan'
        ? ({ kind: act, id, planned: planOf(slots[0]!) } as const)
        : ({ kind: act, id, provider: PUSHERS.driver.id } as const);
    expect(
      await accepts(this.world.core.commands.trackings(trackingStream(id), command, CAUSE)),
      JSON.stringify(step),
    ).to.equal(may);
    if (!tracking) return false;
    if (act === 'plan') tracking.plannedBy = Math.max(tracking.plannedBy, slots[0]!);
    else {
      tracking.driverMayWrite = act === 'grant';
      tracking.driverHadAccess ||= tracking.driverMayWrite;
    }
    return true;
  }

  async #pushOrRetract(step: TrackingStep): Promise<boolean> {
    const { act, pusher, number, slots, carriersIds, variant, order } = step;
    const events = slots.map((slot) => {
      const id = this.#eventId(scanName(carriersIds ? 'carrier' : pusher, number, slot));
      if (act === 'retract') return retraction(timeOf(step, slot), id);
      return scan(timeOf(step, slot), statusOf(number, slot), {
        eventId: id,
        location: { city: 'Hamburg', latitude: 53.5511, longitude: 10 },
        description: textOf(slot, variant),
      });
    });
    const subject = {
      tracking_number: this.#numberOf(number),
      ...(order !== undefined && { order_id: this.#orderOf(order) }),
    };
    const {
      outcomes: [outcomesOfPush],
    } = await this.world.core.commands.ingest(PUSHERS[pusher], [{ subject, events }], CAUSE);
    const expected = this.#model.apply(step);
    expect(
      outcomesOfPush!.map((one) => ('code' in one ? one.code : one.outcome)),
      JSON.stringify(step),
    ).to.deep.equal(expected);
    return expected.includes('accepted') || expected.includes('updated');
  }

  async #erase(owner: PusherName, number: number): Promise<boolean> {
    const { erasure, nextId } = this.world;
    const tracking = this.#model.of(owner, number);
    const subjects = await erasure.subjects.find(trackingStream(this.#idOf(owner, number)));
    expect(subjects, `${owner} ${number}`).to.have.length(tracking ? 1 : 0);
    if (!tracking) return false;
    await erasure.erasing.erase(subjects[0]!, nextId(), CAUSE);
    this.#erased.add(subjects[0]!.subject);
    return (tracking.erased = true);
  }

  async check(): Promise<void> {
    const {
      core: {
        engines: { pool },
      },
    } = this.world;
    for (const [key, tracking] of this.#model.trackings) await this.#checkOne(key, tracking);
    const known = [...this.#model.trackings].map(([key, { number }]) =>
      this.#idOf(key.split(' ')[0] as PusherName, number),
    );
    const { rows } = await pool.query<{ id: string }>('select id from timeline.trackings where number like $1', [
      `${this.#numberOf('')}%`,
    ]);
    expect(rows.map(({ id }) => id)).to.have.members(known);
    const { rows: erased } = await pool.query<{ subject: string }>(
      'select subject from erasures.erasures where keys && $1::text[]',
      [known],
    );
    expect(erased.map(({ subject }) => subject)).to.have.members([...this.#erased]);
  }

  async #checkOne(key: string, tracking: PlainTracking): Promise<void> {
    const {
      core: {
        queries,
        engines: { keyRing, pool },
      },
    } = this.world;
    const { number, order, driverMayWrite, driverHadAccess, plannedBy, erased, scans } = tracking;
    const id = this.#idOf(key.split(' ')[0] as PusherName, number);
    const row = (await queries.byId(id))!;
    expect(row.writers, key).to.deep.equal(driverMayWrite ? [PUSHERS.driver.id] : []);
    expect(row.former_writers, key).to.deep.equal(driverHadAccess && !driverMayWrite ? [PUSHERS.driver.id] : []);
    expect(row.planned, key).to.deep.equal(plannedBy < 0 ? null : planOf(plannedBy));
    expect(row.subject, key).to.deep.equal({
      tracking_number: this.#numberOf(number),
      ...(order !== undefined && { order_id: this.#orderOf(order) }),
    });
    const { timeline, retracted } = journeyOfRow(row, { kind: 'full', keys: await keyRing.existing([id]) }, LATER);
    const activeScans = this.#model.activeScans(tracking);
    expect(
      timeline.events.map(({ event_id, description }) => [event_id, description]),
      key,
    ).to.deep.equal(
      activeScans.map(([name, { slot, variants }]) => [
        this.#eventId(name),
        erased ? undefined : textOf(slot, variants.at(-1)!),
      ]),
    );
    expect(timeline.current_status, key).to.equal(this.#model.statusOf(tracking));
    const counted = new Set(activeScans.map(([name]) => name));
    expect(
      retracted.map(({ event }) => event.event_id),
      key,
    ).to.have.members([...scans.keys()].filter((name) => !counted.has(name)).map((name) => this.#eventId(name)));
    // EPCIS queries find every scan; the timeline omits retracted ones.
    const { rows } = await pool.query<{ event_id: string }>(
      'select event_id from epcis_events.events where tracking = $1',
      [id],
    );
    expect(
      rows.map(({ event_id }) => event_id),
      key,
    ).to.have.members([...scans.keys()].map((name) => this.#eventId(name)));
  }

  #eventId(name: string): string {
    return derivedId('scan of the mix', this.world.base, name);
  }

  #numberOf(number: number | ''): string {
    return `MIX${this.world.base}N${number}`;
  }

  #orderOf(order: string): string {
    return `${order}-${this.world.base}`;
  }

  #idOf(owner: PusherName, number: number): string {
    return trackingId({ kind: 'provider', id: PUSHERS[owner].id }, this.#numberOf(number), 0);
  }
}
