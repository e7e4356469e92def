/**
 * The labels of manifests over a real log: processes that end between two steps, and several processes that continue the
 * same manifest at the same time.
 */
import { expect } from 'chai';
import type { Handle } from '../../../src/commands/core/handle.js';
import { createHandler } from '../../../src/commands/core/handler.js';
import type { LabelChange, LabelCommand, LabelReply } from '../../../src/commands/labels/command.js';
import { labels } from '../../../src/commands/labels/decider.js';
import { createLabelReader } from '../../../src/commands/labels/reader.js';
import { manifests, type ManifestCommand } from '../../../src/commands/manifests/decider.js';
import { createFollowManifests } from '../../../src/commands/manifests/following.js';
import { createOpenLabels } from '../../../src/commands/manifests/open-labels.js';
import { createManifestReader } from '../../../src/commands/manifests/reader.js';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { effectIdFor } from '../../../src/events/effects/effect-id.js';
import type { EffectRecord } from '../../../src/events/effects/records.js';
import { LABEL_PURCHASE } from '../../../src/events/labels/effects.js';
import { labelStream, ManifestJoined } from '../../../src/events/labels/events.js';
import { labelOrderState } from '../../../src/events/labels/state.js';
import { LABEL_MANIFEST, WHOLE_MANIFEST } from '../../../src/events/manifests/effects.js';
import { manifestStream } from '../../../src/events/manifests/events.js';
import { manifestStatusOf, ordersOf } from '../../../src/events/manifests/manifest.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import { CAUSE, openTestCore, type TestCore } from '../../support/worlds/test-core.js';
import { orderData } from '../../unit/labels/commands.js';

const BUSINESS = 6;
/** The process ends. */
class Killed extends Error {}

describe('the labels of manifests', () => {
  let core: TestCore;
  let handle: Handle<LabelCommand, LabelReply>;
  let handleManifest: ReturnType<typeof createHandler<never, ManifestCommand, never>>;
  let readLabel: ReturnType<typeof createLabelReader>;
  let read: ReturnType<typeof createManifestReader>;
  let [nextOrder, nextManifest] = [700, 40];
  before(async () => {
    core = await openTestCore();
    const { log, keyRing } = core.engines;
    const parts = { log, types: EVENT_TYPES, keyRing, now: Date.now };
    handle = createHandler({ decider: labels, ...parts });
    handleManifest = createHandler({ decider: manifests, ...parts }) as never;
    readLabel = createLabelReader(parts);
    read = createManifestReader(parts);
  });
  after(() => core?.close());

  const send = (orderId: number, change: LabelChange) =>
    handle(
      labelStream(orderId),
      { ...change, orderId, business: BUSINESS, commandId: derivedId('test', orderId, JSON.stringify(change)) },
      CAUSE,
    );
  async function bought(packages = 1): Promise<number> {
    const id = nextOrder++;
    const order = orderData(packages);
    await send(id, {
      do: 'create',
      order: { ...order, shipments: order.shipments.map((one) => ({ ...one, digest: 'digest' })) },
    });
    const { kind } = LABEL_PURCHASE;
    for (const { about } of order.shipments) {
      const effectId = effectIdFor({ stream: labelStream(id), kind, about, attempt: 1 });
      const result = {
        remote_id: `shp_${id}_${about}`,
        carrier: 'Double',
        service: 'Express',
        cost: '3.10',
        currency: 'EUR',
        packages: [{ package_id: about, tracking_number: `N${id}${about}`, billed_weight_kg: 2 }],
      };
      await handle(labelStream(id), { do: 'effect', kind, effectId, record: { step: 'done', result } }, CAUSE);
    }
    return id;
  }
  const boughtMany = (count: number) => Promise.all(Array.from({ length: count }, () => bought()));

  async function opened(orderIds: readonly number[]): Promise<string> {
    const id = nextManifest++;
    const stream = manifestStream(id);
    const manifest = {
      manifest_id: id,
      business: BUSINESS,
      account_id: 5,
      adapter: 'double',
      ship_date: '2027-03-01',
      order_ids: [...orderIds],
    };
    await handleManifest(stream, { do: 'open', manifest }, CAUSE);
    return stream;
  }
  const recordStep = (stream: string, record: EffectRecord) => {
    const { kind } = LABEL_MANIFEST;
    const effectId = effectIdFor({ stream, kind, about: WHOLE_MANIFEST, attempt: 1 });
    return handleManifest(stream, { do: 'effect', kind, effectId, record }, CAUSE);
  };
  const closing = (refused: readonly { remote_id: string; code: string }[] = []): EffectRecord => ({
    step: 'done',
    result: { reference: 'SF 3', documents: [], refused },
  });

  /** A process, which ends before this number of commands to labels or manifests. */
  function processOf({ endsBefore = Number.POSITIVE_INFINITY }: { readonly endsBefore?: number } = {}) {
    let sent = 0;
    const mayEnd = <C, R>(next: Handle<C, R>): Handle<C, R> => {
      return async (...of) => {
        if (sent++ >= endsBefore) throw new Killed();
        return next(...of);
      };
    };
    return createFollowManifests({
      read,
      labels: mayEnd(handle),
      manifests: mayEnd(handleManifest as never),
      digestOf: () => 'digest',
    });
  }
  const manifestOf = async (stream: string) => (await read(stream)).state.manifest!;
  const orderOf = async (id: number) => (await readLabel(labelStream(id))).state.order;
  const statusOf = async (id: number) => labelOrderState(await orderOf(id));
  const typesOf = async (id: number) => (await readLabel(labelStream(id))).past.map(({ type }) => type);
  const joinedEvents = async (id: number) =>
    (await readLabel(labelStream(id))).past.filter(({ type }) => type === ManifestJoined.type);

  it('a process that ends at any moment is continued by another one, and each label has the same result', async () => {
    for (let endsBefore = 0; endsBefore <= 10; endsBefore++) {
      const ids = await boughtMany(4);
      const stream = await opened(ids);
      const ending = processOf({ endsBefore });
      const outcome = await ending.fill(stream).catch((error: unknown) => error);
      if (endsBefore < 4) expect(outcome, 'killed').to.be.instanceOf(Killed);
      await processOf().fill(stream);
      const manifest = await manifestOf(stream);
      expect([manifestStatusOf(manifest), ordersOf(manifest.labels!)]).to.deep.equal(['submitting', ids]);
      await recordStep(stream, closing([{ remote_id: `shp_${ids[1]}_1`, code: 'REFUNDED' }]));
      await processOf({ endsBefore })
        .settle(stream)
        .catch((error: unknown) => expect(error).to.be.instanceOf(Killed));
      await processOf().settle(stream);
      expect(await Promise.all(ids.map(statusOf))).to.deep.equal([
        'SUBMITTED',
        'LABEL_PURCHASED',
        'SUBMITTED',
        'SUBMITTED',
      ]);
      expect((await orderOf(ids[1]!)).manifest_refusal).to.deep.equal({
        manifest_id: manifest.manifest_id,
        code: 'REFUNDED',
      });
      for (const id of ids) expect((await typesOf(id)).filter((type) => type === 'ManifestJoined')).to.have.length(1);
    }
  });

  it('labels R7: simultaneous manifests for the same labels have each label once', async () => {
    const ids = await boughtMany(30);
    const streams = await Promise.all(Array.from({ length: 6 }, () => opened(ids)));
    // Two processes continue each manifest.
    await Promise.all([...streams, ...streams].map((stream) => processOf().fill(stream)));
    const found = await Promise.all(streams.map(manifestOf));
    expect(found.flatMap(({ labels = [] }) => ordersOf(labels)).sort()).to.deep.equal([...ids].sort());
    for (const manifest of found) expect(['submitting', 'empty']).to.include(manifestStatusOf(manifest));
    for (const { manifest_id, labels = [] } of found)
      for (const id of ordersOf(labels)) expect((await orderOf(id)).manifest?.id).to.equal(manifest_id);
  });

  it('a label that joins after the list leaves, even if the process that let it join has ended', async () => {
    const [listed, late] = await boughtMany(2);
    // Another manifest has the label while the labels of this one join.
    const other = await opened([late!]);
    await processOf().fill(other);
    const stream = await opened([listed!, late!]);
    await processOf().fill(stream);
    await recordStep(other, { step: 'refused', code: 'CLOSED', final: true });
    await processOf().settle(other);
    const { manifest_id: manifestId } = await manifestOf(stream);
    await send(late!, { do: 'join_manifest', manifestId });
    expect((await orderOf(late!)).manifest).to.deep.equal({ id: manifestId, is_confirmed: false });
    await processOf().followJoined(await joinedEvents(late!));
    expect((await orderOf(late!)).manifest).to.equal(undefined);
    expect((await manifestOf(stream)).labels!.map(({ order_id }) => order_id)).to.deep.equal([listed]);
    // The label that is listed stays.
    await processOf().followJoined(await joinedEvents(listed!));
    expect((await orderOf(listed!)).manifest?.id).to.equal(manifestId);
  });

  it('a label that joined late, after the manifest was closed, leaves too', async () => {
    const [listed, late] = await boughtMany(2);
    const stream = await opened([listed!]);
    await processOf().fill(stream);
    await recordStep(stream, closing());
    const process = processOf();
    await process.settle(stream);
    const { manifest_id: manifestId } = await manifestOf(stream);
    await send(late!, { do: 'join_manifest', manifestId });
    await process.followJoined(await joinedEvents(late!));
    expect(await statusOf(late!)).to.equal('LABEL_PURCHASED');
    expect(await orderOf(late!)).to.not.have.any.keys('manifest', 'manifest_refusal');
    expect(await statusOf(listed!)).to.equal('SUBMITTED');
  });

  it('an order with several packages leaves if the carrier refuses one of them', async () => {
    const id = await bought(3);
    const stream = await opened([id]);
    await processOf().fill(stream);
    const { labels = [] } = await manifestOf(stream);
    expect(labels.map(({ package_id, weight_kg }) => [package_id, weight_kg])).to.deep.equal([
      ['1', 2],
      ['2', 2],
      ['3', 2],
    ]);
    await recordStep(stream, closing([{ remote_id: `shp_${id}_2`, code: 'DAMAGED' }]));
    await processOf().settle(stream);
    expect(await statusOf(id)).to.equal('LABEL_PURCHASED');
    expect((await orderOf(id)).manifest_refusal?.code).to.equal('DAMAGED');
  });

  it('all labels leave a manifest that the carrier refuses, and can join the next one', async () => {
    const ids = await boughtMany(3);
    const stream = await opened(ids);
    await processOf().fill(stream);
    const openLabels = createOpenLabels({ log: core.engines.log, types: EVENT_TYPES });
    expect(await openLabels(ids)).to.deep.equal([]);
    await recordStep(stream, { step: 'refused', code: 'CLOSED', final: true });
    await processOf().settle(stream);
    expect(await openLabels([...ids, 999_999])).to.deep.equal(ids);
    const next = await opened(ids);
    await processOf().fill(next);
    expect(ordersOf((await manifestOf(next)).labels!)).to.deep.equal(ids);
  });

  it('orders of another business, without labels, or submitted are not taken', async () => {
    const [mine, cancelled] = await boughtMany(2);
    await send(cancelled!, { do: 'cancel', refundOn: 'refunded', canVoid: true, digests: { 1: 'void' } });
    const openLabels = createOpenLabels({ log: core.engines.log, types: EVENT_TYPES });
    expect(await openLabels([mine!, cancelled!])).to.deep.equal([mine]);
    const stream = await opened([mine!, cancelled!, 999_999]);
    await processOf().fill(stream);
    expect(ordersOf((await manifestOf(stream)).labels!)).to.deep.equal([mine]);
    expect((await orderOf(cancelled!)).manifest).to.equal(undefined);
  });

  it('continues later if the time of the request is over', async () => {
    const ids = await boughtMany(60);
    const stream = await opened(ids);
    let asked = 0;
    expect(await processOf().fill(stream, () => ++asked > 1)).to.equal(false);
    const joined = (await Promise.all(ids.map(orderOf))).filter(({ manifest }) => manifest).length;
    expect(joined).to.equal(50);
    expect(manifestStatusOf(await manifestOf(stream))).to.equal('opening');
    expect(await processOf().fill(stream)).to.equal(true);
    expect(ordersOf((await manifestOf(stream)).labels!)).to.deep.equal(ids);
  });
});
