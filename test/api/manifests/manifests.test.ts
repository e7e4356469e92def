/** Ends of day over HTTP: manifests, refusals, documents, limits, and simultaneous users. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { atDepth } from '../../support/depth.js';
import { faultText } from '../../support/easypost/faults.js';
import { eventually } from '../../support/eventually.js';
import { endsOfDay, type ManifestJson } from '../../support/labels/ends-of-day.js';
import { openLabelWorld, RECIPIENT, shipmentOf, type LabelWorld } from '../../support/labels/world.js';

/** Open labels of the acceptance criterion. */
const LABELS = atDepth(500, 40);
const USERS = 8;

describe('manifests', () => {
  let w: LabelWorld;
  before(async () => {
    w = await openLabelWorld();
    await w.setTerms({ rate_card_id: w.cards.EUR });
  });
  after(() => w?.stop());

  const { bought, boughtMany, orderOf, endDay } = endsOfDay(() => w);
  const onlyOutside = () => ({ carrier_account_ids: [w.outside.id] });
  const formsOf = async () => (await w.easypost.state()).scan_forms;
  const withFault = (text: string) => shipmentOf(1, { ship_to: { ...RECIPIENT, company: text } });

  it('begins a manifest for each account, and submits the orders with their timelines', async () => {
    const [inSheet, outside] = [await bought('sheet', shipmentOf(2)), await bought('outside')];
    const ended = await endDay();
    expect(ended).to.include({ result: true, submitted: 2, pending: 0, skipped: 0, has_more: false, job_id: null });
    expect(ended.manifests.map(({ status, order_ids, label_count }) => [status, order_ids, label_count])).to.deep.equal(
      [
        ['closed', [inSheet], 2],
        ['closed', [outside], 1],
      ],
    );
    for (const { id, documents, reference } of ended.manifests) {
      const found = await w.as('employee', `/manifests/${id}`);
      expect(found.json.manifest).to.deep.equal(ended.manifests.find((one) => one.id === id));
      expect(reference).to.be.a('string').that.is.not.empty;
      // The double has no public address, so its documents cannot be downloaded.
      expect(found.json.manifest.is_document_missing).to.equal(found.json.manifest.carrier_account_id === w.outside.id);
      if (found.json.manifest.is_document_missing) continue;
      expect(documents[0]!.media_type).to.equal('application/pdf');
      const file = await w.as('employee', documents[0]!.href.replace('/api/v1', ''));
      expect([file.status, file.text.startsWith('%PDF-')]).to.deep.equal([200, true]);
      const hidden = await w.as('customer', documents[0]!.href.replace('/api/v1', ''));
      expect(hidden.status).to.equal(404);
    }
    const order = await orderOf(inSheet);
    expect(order).to.include({ status: 'SUBMITTED', manifest_id: ended.manifests[0]!.id, manifest_refusal_code: null });
    for (const number of order.tracking_numbers as string[])
      expect((await w.t.read(number)).text).to.include('booking_confirmed');
    expect(await endDay()).to.deep.include({ submitted: 0, manifests: [] });
    const list = await w.as('employee', `/manifests?status=closed&carrier_account_id=${w.sheet.id}`);
    expect(list.json.manifests.map(({ id }: ManifestJson) => id)).to.deep.equal([ended.manifests[0]!.id]);
  });

  it('a customer sees no manifest, and cannot end the day', async () => {
    for (const path of ['/manifests', '/manifests/1']) expect((await w.as('customer', path)).status).to.equal(403);
    expect((await w.as('customer', '/labelservice/endofday', {})).status).to.equal(403);
  });

  it(`labels 4: ${USERS} users end the day at once: each of ${LABELS} labels is in one manifest`, async () => {
    const ids = await boughtMany('outside', LABELS);
    const ended = await Promise.all(Array.from({ length: USERS }, () => endDay(onlyOutside())));
    const manifests = ended.flatMap((one) => one.manifests);
    const inManifests = manifests.flatMap(({ order_ids }) => order_ids);
    expect(inManifests).to.have.members(ids).and.to.have.length(LABELS);
    expect(ended.reduce((sum, { submitted, pending }) => sum + submitted + pending, 0)).to.equal(LABELS);
    await eventually(
      async () =>
        (await Promise.all(ids.map(orderOf))).every(
          ({ status, manifest_id }) => status === 'SUBMITTED' && manifests.some(({ id }) => id === manifest_id),
        ),
      'all orders are submitted',
    );
    const numbers = new Set((await Promise.all(ids.map(orderOf))).flatMap((one) => one.tracking_numbers as string[]));
    const onForms = (await formsOf()).flatMap(({ tracking_codes }) => tracking_codes).filter((one) => numbers.has(one));
    expect(onForms).to.have.length(LABELS);
    expect(new Set(onForms).size).to.equal(LABELS);
  });

  it('labels 4: 3 labels that the carrier refuses stay open with the reason, and the next end of day submits them', async () => {
    // EasyPost refuses a whole form, and there is one form for each sender.
    const other = { street: 'Hauptstr. 7', city: 'Bonn', postal_code: '53111', country: 'DE', name: 'Bonn' };
    const kept = await boughtMany('outside', 4);
    const refused: number[] = [];
    for (let n = 0; n < 3; n++)
      refused.push(
        await bought('outside', {
          ...(n === 0 ? withFault(faultText('declined', 'scan_form')) : shipmentOf()),
          ship_from: other,
        }),
      );
    const ended = await endDay(onlyOutside());
    expect(ended).to.include({ result: false, submitted: 4, pending: 0 });
    const [manifest] = ended.manifests;
    expect(manifest!.status).to.equal('closed');
    expect(manifest!.refused.map(({ order_id }) => order_id)).to.have.members(refused);
    for (const id of refused) {
      const order = await orderOf(id);
      expect(order).to.include({ status: 'LABEL_PURCHASED', manifest_id: null });
      expect(order.manifest_refusal_code).to.equal('SCAN_FORM.CREATE.FAILURE');
    }
    for (const id of kept) expect((await orderOf(id)).status).to.equal('SUBMITTED');
    const again = await endDay(onlyOutside());
    expect(again).to.include({ result: true, submitted: 3 });
    expect(await orderOf(refused[0]!)).to.include({ status: 'SUBMITTED', manifest_refusal_code: null });
  });

  it('all labels leave a manifest that the carrier refuses', async () => {
    const id = await bought('outside', withFault(faultText('declined', 'scan_form')));
    const ended = await endDay(onlyOutside());
    expect(ended).to.include({ result: false, submitted: 0 });
    expect(ended.manifests[0]).to.include({ status: 'failed', failure_code: 'SCAN_FORM.CREATE.FAILURE' });
    expect(await orderOf(id)).to.include({ status: 'LABEL_PURCHASED', manifest_id: null });
    // The label can be voided again.
    const cancelled = await w.as('employee', '/label-orders/cancel', { order_id: id });
    expect(cancelled.status, cancelled.text).to.equal(200);
  });

  it('a label cannot be voided while the carrier is asked, and the background continues without waiting', async () => {
    const id = await bought('outside', withFault(faultText('500_after', 'scan_form')));
    const ended = await endDay({ ...onlyOutside(), wait_s: 0 });
    expect(ended).to.include({ submitted: 0, pending: 1 });
    expect(ended.manifests[0]).to.include({ status: 'submitting', reference: null });
    await eventually(async () => (await orderOf(id)).status === 'SUBMITTED', 'the background submits the order');
    expect((await orderOf(id)).manifest_id).to.equal(ended.manifests[0]!.id);
  });

  it('a rebuild gives the same rows', () => expectSameReplay(w.t, ['manifests', 'labels']));
});
