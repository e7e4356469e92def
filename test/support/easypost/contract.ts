/**
 * What the service needs of EasyPost, shown with its adapter and the official library. The double and EasyPost's test
 * mode must both fulfil it.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { buy, callWith, doneOf, easypostAt, METHOD, purchaseOf, SHIPMENT } from './calls.js';
import { libraryFor, type EasypostLibrary } from './library.js';

export interface EasypostAccount {
  readonly url: string;
  readonly key: string;
}

/** The code of the error of the official library. */
const codeOf = (refused: Promise<unknown>): Promise<unknown> =>
  refused.then(
    () => 'none',
    (error: { readonly code?: unknown }) => error.code,
  );

export function describeEasypost(name: string, open: () => Promise<EasypostAccount>): void {
  describe(`${name} as a carrier`, () => {
    let account: EasypostAccount;
    let library: EasypostLibrary;
    let adapter: ReturnType<typeof easypostAt>;
    let call: ReturnType<typeof callWith>;
    before(async () => {
      account = await open();
      library = libraryFor(account);
      adapter = easypostAt(account.url);
      call = callWith({ key: account.key });
    });

    it('accepts the key of the account, and no other key', async () => {
      doneOf(await adapter.test(call));
      expect(await adapter.test(callWith({ key: 'EZno-such-key' }))).to.include({
        is: 'not_done',
        code: 'UNAUTHORIZED',
      });
    });

    it('lists methods, among them those that have rates', async () => {
      const codes = new Set((await adapter.methods(call)).map(({ code }) => code));
      const { rates } = await adapter.rate(call, SHIPMENT);
      expect(rates.map(({ method_code: code }) => code)).to.include(METHOD);
      expect(rates.filter(({ method_code: code }) => !codes.has(code))).to.deep.equal([]);
    });

    it('rates several packages together', async () => {
      const [parcel] = SHIPMENT.packages;
      const costOf = async (count: number) => {
        const packages = Array.from({ length: count }, (_, index) => ({ ...parcel!, package_id: `${index + 1}` }));
        const { rates } = await adapter.rate(call, { ...SHIPMENT, packages });
        return Number(rates.find(({ method_code: code }) => code === METHOD)!.cost);
      };
      expect(await costOf(2)).to.be.closeTo(2 * (await costOf(1)), 0.001);
    });

    it('sells a shipment once: a second purchase is refused, and the adapter finds the first', async () => {
      const key = randomUUID();
      const request = purchaseOf();
      const { remoteId, outcome } = await buy(adapter, call, key, request);
      const bought = doneOf(outcome);
      expect(bought).to.include({ remote_id: remoteId, carrier: 'USPS', currency: 'USD' });
      expect(bought.packages[0]).to.include({ package_id: '1' });
      expect(bought.packages[0]!.label).to.include({ format: 'png' });
      const shipment = await library.Shipment.retrieve(remoteId);
      expect([shipment.reference, shipment.tracking_code]).to.deep.equal([key, bought.packages[0]!.tracking_number]);
      expect(await codeOf(library.Shipment.buy(remoteId, shipment.rates[0]!.id))).to.equal('SHIPMENT.POSTAGE.EXISTS');
      expect(doneOf(await adapter.purchase.act(call, key, request, remoteId))).to.deep.equal(bought);
      expect(doneOf(await adapter.purchase.look(call, key, request, remoteId))).to.deep.equal(bought);
    });

    it('has nothing to find before the purchase, and does not buy above the highest cost', async () => {
      const key = randomUUID();
      const request = purchaseOf({ max_cost: { amount: '0.01', currency: 'USD' } });
      const { remoteId, outcome } = await buy(adapter, call, key, request);
      expect(outcome).to.include({ is: 'not_done', code: 'PRICE_CHANGED', final: true });
      expect(await adapter.purchase.look(call, key, request, remoteId)).to.include({ is: 'not_done', final: false });
    });

    for (const format of ['pdf', 'png', 'zpl'] as const)
      it(`sells labels in the format ${format}`, async () => {
        const { outcome } = await buy(adapter, call, randomUUID(), purchaseOf({ label_format: format }));
        expect(doneOf(outcome).packages[0]!.label).to.include({ format });
      });

    it('converts labels that were bought as PNG', async () => {
      const { remoteId } = await buy(adapter, call, randomUUID());
      expect(doneOf(await adapter.label!(call, remoteId, 'png'))).to.include({ format: 'png' });
      expect(doneOf(await adapter.label!(call, remoteId, 'zpl'))).to.include({ format: 'zpl' });
    });

    it('refuses addresses that it cannot use', async () => {
      const shipment = { ...SHIPMENT, to: { country: 'US' } };
      expect((await adapter.purchase.reserve!(call, randomUUID(), purchaseOf({ shipment }))).is).to.equal('not_done');
      const { rates, errors } = await adapter.rate(call, shipment);
      expect([rates.length, errors.length]).to.deep.equal([0, 1]);
    });

    it('refunds a label once, and shows it', async () => {
      const { remoteId, outcome } = await buy(adapter, call, randomUUID());
      const request = { remote_id: remoteId, tracking_number: doneOf(outcome).packages[0]!.tracking_number };
      const key = randomUUID();
      expect(await adapter.void!.look(call, key, request, undefined)).to.include({ is: 'not_done' });
      const first = doneOf(await adapter.void!.act(call, key, request, undefined));
      expect(first.status).to.be.oneOf(['submitted', 'refunded']);
      expect(doneOf(await adapter.void!.act(call, key, request, undefined)).status).to.equal(first.status);
      expect(doneOf(await adapter.void!.look(call, key, request, undefined)).status).to.equal(first.status);
      expect(doneOf(await adapter.detail!(call, remoteId))).to.deep.include({
        tracking_numbers: [request.tracking_number],
        refund_status: first.status,
      });
    });

    it('puts labels on one scan form, and never on two', async () => {
      const bought = [await buy(adapter, call, randomUUID()), await buy(adapter, call, randomUUID())];
      const labels = bought.map(({ remoteId, outcome }) => ({
        remote_id: remoteId,
        tracking_number: doneOf(outcome).packages[0]!.tracking_number,
      }));
      const request = { ship_date: SHIPMENT.ship_date, from: SHIPMENT.from, labels };
      const key = randomUUID();
      expect(await adapter.manifest!.look(call, key, request, undefined)).to.include({ is: 'not_done' });
      const made = doneOf(await adapter.manifest!.act(call, key, request, undefined));
      expect([made.refused, made.document?.format]).to.deep.equal([[], 'pdf']);
      expect(doneOf(await adapter.manifest!.act(call, key, request, undefined)).reference).to.equal(made.reference);
      expect(doneOf(await adapter.manifest!.look(call, key, request, undefined)).reference).to.equal(made.reference);
    });

    it('tracks the labels that it sold', async () => {
      const { remoteId, outcome } = await buy(adapter, call, randomUUID());
      const number = doneOf(outcome).packages[0]!.tracking_number;
      const { tracker } = await library.Shipment.retrieve(remoteId);
      expect(tracker.tracking_code).to.equal(number);
      const events = doneOf(await adapter.track!(call, [{ tracking_number: number, remote_id: remoteId }]));
      for (const event of events) expect(event.tracking_number).to.equal(number);
    });
  });
}
