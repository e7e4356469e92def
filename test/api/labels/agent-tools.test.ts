/** Label orders as agents use them: purchase, details, files and void by tools, and proposals about them. */
import { expect } from 'chai';
import { callTool, tokenOf, type RpcOptions } from '../../support/clients/mcp.js';
import { openSheetAccount, PARCEL, type SheetAccount } from '../../support/labels/sheet-account.js';
import { picturesOf } from '../../support/validators/pdf-pictures.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const DEVELOPER = '/mcp/developer';
const TWO = {
  ...PARCEL,
  packages: [{ weight_kg: 0.4 }, { weight_kg: 2.5, length_cm: 30, width_cm: 25, height_cm: 8 }],
};

/* eslint-disable @typescript-eslint/no-explicit-any -- responses of the API */
describe('tools of label orders', () => {
  let service: TestService;
  let admin: string;
  let sheet: SheetAccount;
  before(async () => {
    service = await startTestService({ env: { RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' } });
    admin = await tokenOf(service, 'client_admin');
    sheet = await openSheetAccount(service, admin);
  });
  after(() => service?.stop());

  const call = async (name: string, args: object, options: RpcOptions = {}): Promise<any> =>
    (await callTool(service, name, args, { token: admin, ...options })).structuredContent;
  const filesOf = async (args: object) => {
    const { label_files, error } = await call('download_shipping_label', { ...args, confirm: true });
    expect(error).to.equal(undefined);
    return label_files as { package_ids: string[]; tracking_numbers: string[]; media_type: string; base64: string }[];
  };

  it('buy labels on both servers, and return only the members that an agent needs', async () => {
    for (const path of ['/mcp', DEVELOPER]) {
      const made = await call('create_shipping_label', { ...TWO, method_id: sheet.methodId }, { path });
      expect(made.error).to.equal(undefined);
      expect(made).to.include({ result: true }).and.have.property('order_id').that.is.a('number');
      const { label_order: order } = made;
      expect(order).to.include({ id: made.order_id, status: 'LABEL_PURCHASED', carrier: 'Demo Vans' });
      expect(order.packages).to.deep.equal(
        (order.tracking_numbers as string[]).map((tracking_number, index) => ({
          package_id: String(index + 1),
          label_status: 'purchased',
          tracking_number,
        })),
      );
      expect(order.tracking_numbers).to.have.length(2);
      expect(order).not.to.include.keys('ship_to', 'version');
      const read = await call('get_shipping_label', { order_id: made.order_id }, { path: DEVELOPER });
      expect(read.label_order.packages[1].label_file).to.include({ format: 'pdf' });
    }
  });

  it('choose the rate, and name the rates that they considered', async () => {
    const made = await call('quote_and_ship', { ...PARCEL, strategy: 'fastest', carriers: ['demo vans'] });
    expect(made.error).to.equal(undefined);
    expect(made.label_order.status).to.equal('LABEL_PURCHASED');
    expect(made.considered).to.be.an('array').that.is.not.empty;
    expect(made.chosen_rate_id).to.equal(made.considered[0].rate_id);
    const none = await call('quote_and_ship', { ...PARCEL, carriers: ['another'] });
    expect(none.error.code).to.equal('NO_RATE');
  });

  it('return one PDF with a page for each package, in their order', async () => {
    const order_id = await sheet.order({ packages: TWO.packages });
    const [file, ...others] = await filesOf({ order_id });
    expect(others).to.deep.equal([]);
    expect(file).to.deep.include({ package_ids: ['1', '2'], media_type: 'application/pdf' });
    const pages = await picturesOf(Buffer.from(file!.base64, 'base64'));
    expect(pages).to.have.length(2);
    for (const [index, number] of file!.tracking_numbers.entries()) expect(pages[index]!.text).to.include(number);
    expect((await filesOf({ tracking_number: file!.tracking_numbers[1] }))[0]!.base64).to.equal(file!.base64);
  });

  it('return a file for each package in formats that cannot be joined', async () => {
    const order_id = await sheet.order({ packages: TWO.packages, label_format: 'zpl' });
    const files = await filesOf({ order_id });
    expect(files.map(({ package_ids }) => package_ids)).to.deep.equal([['1'], ['2']]);
    for (const { base64, media_type } of files) {
      expect(media_type).to.equal('application/vnd.zebra.zpl');
      expect(Buffer.from(base64, 'base64').toString()).to.match(/\^XA/);
    }
    expect(await filesOf({ order_id, format: 'zpl' })).to.deep.equal(files);
  });

  it('report the format that exists if the carrier has no other one', async () => {
    const order_id = await sheet.order({ label_format: 'png' });
    const { error } = await call('download_shipping_label', { order_id, format: 'zpl', confirm: true });
    expect([error.status, error.code]).to.deep.equal([409, 'FORMAT_MISSING']);
    expect(error.message).to.include('zpl').and.include('png');
  });

  it('compare the order with the carrier, and void its labels', async () => {
    const order_id = await sheet.order();
    const detail = await call('get_shipping_detail', { order_id, confirm: true });
    expect(detail.error).to.equal(undefined);
    expect(detail.label_order).to.include({ id: order_id, status: 'LABEL_PURCHASED' });
    expect(detail.carrier_shipments[0].tracking_numbers).to.deep.equal(detail.label_order.tracking_numbers);
    const [tracking_number] = detail.label_order.tracking_numbers;
    const cancelled = await call('cancel_shipping_label', {
      tracking_number,
      reason: 'Address is wrong',
      confirm: true,
    });
    expect(cancelled.error).to.equal(undefined);
    expect(cancelled.label_order).to.include({ id: order_id, status: 'VOIDED' });
  });

  describe('with approval', () => {
    const headers = { 'x-mcp-require-approval': '1' };
    const proposalOf = async (id: string): Promise<any> =>
      (await service.api(`/proposals/${id}`, { key: admin })).json.proposal;

    it('an approved download is erased together with its order, and is not outdated by a change of the order', async () => {
      const order_id = await sheet.order({ order_ref: 'ERASED-LABEL' });
      const queued = await call('download_shipping_label', { order_id }, { headers });
      expect(queued).to.include({ queued: true, status: 'pending' });
      const id = queued.proposal_id as string;
      await call('submit_shipping_information', { order_ids: [order_id], confirm: true });
      const approved = await call('approve_pending_write', { proposal_id: id, confirm: true });
      expect(approved.error).to.equal(undefined);
      expect((await proposalOf(id)).status).to.equal('executed');
      expect((await proposalOf(id)).execution.response).to.be.an('object');
      const { status, text } = await service.api(`/privacy/subjects/label-${order_id}/erase`, { key: admin, body: {} });
      expect(status, text).to.equal(200);
      const after = await proposalOf(id);
      expect([after.status, after.arguments ?? null, after.execution.response]).to.deep.equal(['executed', null, null]);
    });

    it('a proposed void is outdated by a change of the order', async () => {
      const order_id = await sheet.order();
      const queued = await call('cancel_shipping_label', { order_id, reason: 'Ordered twice' }, { headers });
      await call('cancel_shipping_label', { order_id, confirm: true });
      const { error } = await call('approve_pending_write', { proposal_id: queued.proposal_id, confirm: true });
      expect(error.code).to.equal('PROPOSAL_OUTDATED');
    });
  });
});
