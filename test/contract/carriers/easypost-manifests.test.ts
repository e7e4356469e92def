/** Scan forms and tracking of EasyPost against the double. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { CarrierStop } from '../../../src/engines/outside/carriers/port.js';
import { buy, callWith, doneOf, easypostAt, purchaseOf, SHIPMENT } from '../../support/easypost/calls.js';
import { libraryFor } from '../../support/easypost/library.js';
import { faultText } from '../../support/easypost/faults.js';
import { EASYPOST_KEY, startEasypost, type EasypostDouble } from '../../support/easypost/start-easypost.js';
import { startReceiver } from '../../support/fakes/webhook-receiver.js';

const KEY = randomUUID();
const SECRET = 'sécret of the shop';

describe('scan forms and tracking of EasyPost', () => {
  let folder: string;
  let double: EasypostDouble;
  let adapter: ReturnType<typeof easypostAt>;
  const call = callWith({ secret: SECRET });
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transport-easypost-'));
    double = await startEasypost(join(folder, 'state'));
    adapter = easypostAt(double.url);
  });
  after(async () => {
    await double?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const bought = async (more: { readonly from?: CarrierStop; readonly company?: string } = {}) => {
    const { from = SHIPMENT.from, company = '' } = more;
    const shipment = { ...SHIPMENT, from, to: { ...SHIPMENT.to, company } };
    const { remoteId, outcome } = await buy(adapter, call, randomUUID(), purchaseOf({ shipment }));
    return { remote_id: remoteId, tracking_number: doneOf(outcome).packages[0]!.tracking_number };
  };
  const requestOf = (...labels: Awaited<ReturnType<typeof bought>>[]) => ({
    ship_date: SHIPMENT.ship_date,
    from: SHIPMENT.from,
    labels,
  });
  const formsOf = async (number: string) =>
    (await double.state()).scan_forms.filter(({ tracking_codes: codes }) => codes.includes(number)).length;

  it('needs one form for each sender address, and returns all documents', async () => {
    const other = { ...SHIPMENT.from, street: '1 Main St', postal_code: '94108' };
    const request = requestOf(await bought(), await bought({ from: other }), await bought());
    const made = doneOf(await adapter.manifest!.act(call, KEY, request, undefined));
    expect(made.reference.split(' ')).to.have.length(2);
    expect([made.document!, ...made.more_documents!].map(({ format }) => format)).to.deep.equal(['pdf', 'pdf']);
    expect(made.refused).to.deep.equal([]);
    for (const { tracking_number: number } of request.labels) expect(await formsOf(number)).to.equal(1);
  });

  it('leaves out labels that are refunded', async () => {
    const [kept, refunded] = [await bought(), await bought()];
    doneOf(await adapter.void!.act(call, KEY, refunded, undefined));
    const made = doneOf(await adapter.manifest!.act(call, KEY, requestOf(kept, refunded), undefined));
    expect(made.refused).to.deep.equal([{ remote_id: refunded.remote_id, code: 'REFUNDED' }]);
    expect(await formsOf(refunded.tracking_number)).to.equal(0);
  });

  for (const fault of ['500_after', 'reset_after', 'broken'] as const)
    it(`${fault}: the result is unknown, and a look finds it`, async () => {
      const request = requestOf(await bought({ company: faultText(fault, 'scan_form') }), await bought());
      expect(await adapter.manifest!.act(call, KEY, request, undefined)).to.include({ is: 'unknown' });
      const found = doneOf(await adapter.manifest!.look(call, KEY, request, undefined));
      expect(found.reference.split(' ')).to.have.length(1);
      for (const { tracking_number: number } of request.labels) expect(await formsOf(number)).to.equal(1);
    });

  it('twice: the second request is refused, and the form of the first is found', async () => {
    const request = requestOf(await bought({ company: faultText('twice', 'scan_form') }));
    const made = doneOf(await adapter.manifest!.act(call, KEY, request, undefined));
    expect([made.refused, await formsOf(request.labels[0]!.tracking_number)]).to.deep.equal([[], 1]);
  });

  it('ends of day at the same time put each label on one form', async () => {
    const request = requestOf(await bought(), await bought(), await bought());
    const made = await Promise.all(
      Array.from({ length: 4 }, () => adapter.manifest!.act(call, KEY, request, undefined)),
    );
    const references = new Set(made.map((one) => doneOf(one).reference));
    expect(references.size).to.equal(1);
    for (const { tracking_number: number } of request.labels) expect(await formsOf(number)).to.equal(1);
  });

  it('a refusal for all labels is not done, and may be tried again', async () => {
    const request = requestOf(await bought({ company: faultText('declined', 'scan_form') }));
    expect(await adapter.manifest!.act(call, KEY, request, undefined)).to.include({
      is: 'not_done',
      code: 'SCAN_FORM.CREATE.FAILURE',
      final: false,
    });
    doneOf(await adapter.manifest!.act(call, KEY, request, undefined));
  });

  it('polling and webhooks have the same events with the same ids, and no events of another shipment', async () => {
    const label = await bought();
    const { tracking_number: number } = label;
    const receiver = await startReceiver();
    const library = libraryFor({ url: double.url, key: EASYPOST_KEY });
    await library.Webhook.create({ url: receiver.url, webhook_secret: SECRET });
    const scans = [
      ['in_transit', 'received_at_origin_facility', '2026-01-05T10:00:00Z'],
      ['in_transit', 'departed_facility', '2026-01-05T14:00:00Z'],
      ['delivered', 'arrived_at_destination', '2026-01-06T09:00:00Z'],
    ] as const;
    for (const [status, status_detail, at] of scans)
      await double.scan({ tracking_code: number, status, status_detail, at, city: 'HOUSTON' });
    const messages = await receiver.waitFor(scans.length);
    await receiver.close();

    const ids = new Set<string>();
    for (const { headers: given, text } of messages) {
      const [headers, bytes] = [given as Record<string, string>, Buffer.from(text)];
      expect(adapter.inbound!.verify(headers, bytes, call.credentials)).to.equal(true);
      expect(adapter.inbound!.verify(headers, Buffer.from(`${text} `), call.credentials)).to.equal(false);
      library.Utils.validateWebhook(bytes, headers, SECRET);
      const body: unknown = JSON.parse(text);
      expect(adapter.inbound!.messageId(body)).to.match(/^evt_/);
      for (const event of adapter.inbound!.events(body)) ids.add(event.event_id);
    }
    const polled = doneOf(await adapter.track!(call, [{ tracking_number: number, remote_id: label.remote_id }]));
    expect(polled.map(({ raw_status: raw }) => raw)).to.deep.equal([
      'in_transit/received_at_origin_facility',
      'in_transit/departed_facility',
      'delivered',
    ]);
    expect(new Set(polled.map(({ event_id: id }) => id))).to.deep.equal(ids);
    expect(polled[0]!.place).to.deep.equal({ city: 'HOUSTON', region: 'TX' });
    expect(doneOf(await adapter.track!(call, [{ tracking_number: number, remote_id: 'shp_other' }]))).to.deep.equal([]);
  });

  it('tracks more numbers than a request has, also if EasyPost does not know all of them', async () => {
    const labels = [await bought(), await bought()];
    const at = '2026-01-05T10:00:00Z';
    for (const { tracking_number: number } of labels)
      await double.scan({ tracking_code: number, status: 'in_transit', status_detail: 'in_transit', at, sends: false });
    const unknown = Array.from({ length: 120 }, (_, index) => ({
      tracking_number: `none-${index}`,
      remote_id: 'shp_1',
    }));
    const polled = doneOf(await adapter.track!(call, [labels[0]!, ...unknown, labels[1]!]));
    expect(polled.map(({ tracking_number: number }) => number)).to.deep.equal(
      labels.map(({ tracking_number: number }) => number),
    );
  });
});
