/** Manifests whose request has ended between two steps: the background brings their labels to a result. */
import { expect } from 'chai';
import { createHandler } from '../../../src/commands/core/handler.js';
import type { LabelChange } from '../../../src/commands/labels/command.js';
import { manifests } from '../../../src/commands/manifests/decider.js';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { labelStream } from '../../../src/events/labels/events.js';
import { manifestStream } from '../../../src/events/manifests/events.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import { eventually } from '../../support/eventually.js';
import { endsOfDay } from '../../support/labels/ends-of-day.js';
import { openLabelWorld, type LabelWorld } from '../../support/labels/world.js';
import { CAUSE } from '../../support/worlds/test-core.js';

const MANIFEST = 4_321;

describe('manifests whose request has ended', () => {
  let w: LabelWorld;
  let business: number;
  before(async () => {
    w = await openLabelWorld();
    business = (await w.as('employee', '/me')).json.user.business_id as number;
  });
  after(() => w?.stop());

  const { boughtMany, orderOf, endDay } = endsOfDay(() => w);
  const send = async (orderId: number, change: LabelChange) => {
    const { service } = w.t;
    const commandId = derivedId('recovery', orderId, change.do);
    return service.commands.labels(labelStream(orderId), { ...change, commandId, orderId, business }, CAUSE);
  };

  it('labels that have joined a manifest that never began are submitted', async () => {
    const ids = await boughtMany('sheet', 3);
    const { log, keyRing } = w.t.service.engines;
    const handle = createHandler({ decider: manifests, log, types: EVENT_TYPES, keyRing, now: Date.now });
    const manifest = {
      manifest_id: MANIFEST,
      business,
      account_id: w.sheet.id,
      adapter: 'sheet',
      ship_date: (await orderOf(ids[0]!)).ship_date as string,
      order_ids: ids,
    };
    await handle(manifestStream(MANIFEST), { do: 'open', manifest }, CAUSE);
    await send(ids[1]!, { do: 'join_manifest', manifestId: MANIFEST });
    await eventually(
      async () => (await Promise.all(ids.map(orderOf))).every(({ status }) => status === 'SUBMITTED'),
      'the background submits the orders',
    );
    const { json } = await w.as('employee', `/manifests/${MANIFEST}`);
    expect(json.manifest).to.include({ status: 'closed', label_count: 3, opened_by: null });
  });

  it('a label that joins a closed manifest leaves it', async () => {
    const [first] = await boughtMany('sheet', 1);
    const { manifests: ended } = await endDay();
    const [late] = await boughtMany('sheet', 1);
    await send(late!, { do: 'join_manifest', manifestId: ended[0]!.id });
    await eventually(async () => (await orderOf(late!)).manifest_id === null, 'the label leaves');
    expect(await orderOf(late!)).to.include({ status: 'LABEL_PURCHASED', manifest_refusal_code: null });
    expect((await orderOf(first!)).status).to.equal('SUBMITTED');
    expect(await endDay()).to.include({ submitted: 1 });
  });
});
