/**
 * Acceptance 5 of labels: messages and polls in any order, with repetitions, lead to the same timeline as the messages in
 * the order of the journey.
 */
import { expect } from 'chai';
import { atDepth } from '../../support/depth.js';
import { newDetail } from '../../support/easypost/objects.js';
import { eventually } from '../../support/eventually.js';
import { randomOf, type Random } from '../../support/fuzz/random.js';
import {
  addTracked,
  buyLabel,
  hourOf,
  makeDue,
  messageAbout,
  pollsOf,
  sendMessage,
  stateOf,
  type BoughtLabel,
  type TrackedAccount,
} from '../../support/labels/tracked.js';
import { openLabelWorld, type LabelWorld } from '../../support/labels/world.js';
import { SEED } from '../../support/worlds/seed.js';

const ROUNDS = atDepth(25, 4);
const STATUSES = [
  ['pre_transit', 'status_update'],
  ['in_transit', 'received_at_origin_facility'],
  ['in_transit', 'arrived_at_facility'],
  ['in_transit', 'departed_facility'],
  ['in_transit', 'delayed'],
  ['in_transit', 'status_without_a_row'],
  ['out_for_delivery', 'out_for_delivery'],
  ['available_for_pickup', 'arrived_at_pickup_location'],
  ['failure', 'held'],
  ['delivered', 'arrived_at_destination'],
  ['return_to_sender', 'return'],
] as const;
const CITIES = ['LUBBOCK', 'ABILENE', 'TYLER', null] as const;

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(random.below(rest.length), 1)[0]!);
}

describe('messages and polls of a parcel', () => {
  let w: LabelWorld;
  let account: TrackedAccount;
  before(async () => {
    w = await openLabelWorld();
    account = await addTracked(w, 'EZTKmixture');
  });
  after(() => w?.stop());

  const untilProcessed = () =>
    eventually(async () => {
      const { rows } = await w.t.service.engines.pool.query('select from access.inbox where done_at is null');
      return rows.length === 0;
    }, 'all messages are processed');
  const send = async (body: Readonly<Record<string, unknown>>) => {
    const answer = await sendMessage(w, account, body);
    expect(answer.status, answer.text).to.equal(200);
  };
  async function poll({ order }: BoughtLabel) {
    const polls = async () => (await pollsOf(w, order)).find(({ kind }) => kind === 'tracking')?.polls ?? Infinity;
    const before = await polls();
    if (before === Infinity) return;
    await makeDue(w, order);
    await eventually(async () => (await polls()) > before, 'the end of a poll');
  }

  /** What a reader sees, without the members that differ between two parcels and with the time of the record. */
  async function seen(label: BoughtLabel) {
    const { json } = await w.t.read(label.number);
    const { events, current_status, current_phase, terminal_status } = json;
    const scans = (events as readonly Readonly<Record<string, unknown>>[]).filter(
      ({ source }) => (source as { readonly type: string }).type === 'carrier',
    );
    return {
      current: [current_status, current_phase, terminal_status],
      scans: scans.map(({ event_id: _id, recorded_at: _at, ...scan }) => scan),
      state: await stateOf(w, label.order),
    };
  }
  /** The same after all scans were followed. */
  async function settled(label: BoughtLabel) {
    await untilProcessed();
    const head = await w.t.service.engines.log.head();
    await w.t.service.progress.waitFor('label_scans', head, 60_000);
    const after = await w.t.service.engines.log.head();
    for (const name of ['timeline', 'labels']) await w.t.service.progress.waitFor(name, after, 60_000);
    return seen(label);
  }

  it(`labels 5: ${ROUNDS} random journeys give the same timeline in any order`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const random = randomOf(SEED, round);
      const count = 2 + random.below(9);
      const scans = Array.from({ length: count }, (_, index) => {
        const [status, detail] = random.pick(STATUSES);
        return { status, detail, at: hourOf(index * 7 + random.below(6)), city: random.pick(CITIES), n: index };
      });
      const details = scans.map(({ status, detail, at, city, n }) => newDetail(status, detail, at, `Scan ${n}`, city));
      const [ordered, mixed] = [await buyLabel(w, account), await buyLabel(w, account)];
      for (let at = 1; at <= count; at++) await send(messageAbout(ordered.number, details.slice(0, at), { at }));

      // Messages have one scan or several; the tracker, which polls read, has some of them at first and all at the end.
      const open = shuffled(random, scans);
      for (const [index, { status, detail, at, city, n }] of open.entries()) {
        const order = { tracking_code: mixed.number, status, status_detail: detail, at, message: `Scan ${n}` };
        const event = await w.easypost.scan({ ...order, ...(city && { city }), sends: false });
        const some = shuffled(random, details).slice(0, 1 + random.below(count));
        if (random.oneIn(2)) await send(event);
        if (random.oneIn(2)) await send(messageAbout(mixed.number, some, { index }));
        if (random.oneIn(3)) await send(event);
        if (random.oneIn(3)) await poll(mixed);
      }
      // A message of each scan may have been lost, but not both the messages and the poll.
      if (random.oneIn(2)) await poll(mixed);
      await send(messageAbout(mixed.number, shuffled(random, [...details, ...details]), { last: true }));
      const [expected, found] = [await settled(ordered), await settled(mixed)];
      expect(found, `SEED=${SEED}, round ${round}`).to.deep.equal(expected);
      expect(expected.scans.length, 'some scans').to.be.above(0);
    }
  });
});
