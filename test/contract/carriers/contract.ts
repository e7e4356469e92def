/** The contract of all adapters of carriers: no label is bought twice, and no result is guessed. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Done, Outcome } from '../../../src/engines/outside/adapter.js';
import type {
  CarrierCall,
  CarrierEffect,
  PurchaseRequest,
  PurchaseResult,
} from '../../../src/engines/outside/carriers/port.js';
import { compare } from '../../../src/events/core/money.js';
import { skip } from '../../support/run-summary.js';
import type { CarrierHarness, RunningCarrier } from './harness.js';

const MAGIC = { pdf: '%PDF', png: '\x89PNG', zpl: '^XA' } as const;
const AMOUNT = /^\d+(\.\d{1,4})?$/;
/** More attempts than any fault needs. */
const MAX_STEPS = 10;

/** An exception of an adapter counts as an unknown result. */
const outcomeOf = <R>(work: Promise<Outcome<R>>): Promise<Outcome<R>> =>
  work.catch((): Outcome<R> => ({ is: 'unknown', cause: 'exception' }));

export function carrierContract({ id, skipped, faults, start }: CarrierHarness): void {
  (skipped === undefined ? describe : describe.skip)(`the carrier adapter ${id}`, () => {
    let carrier: RunningCarrier;
    before(async () => void (carrier = await start()));
    after(() => carrier.stop());

    const call = (): CarrierCall => ({ ...carrier.account, signal: AbortSignal.timeout(carrier.timeoutMs) });
    const request = (more: Partial<PurchaseRequest> = {}): PurchaseRequest => ({
      shipment: carrier.shipment,
      method_code: carrier.method_code,
      label_format: carrier.adapter.capabilities.formats[0]!,
      label_size: carrier.adapter.capabilities.sizes[0]!,
      ...more,
    });

    /** Reserves as often as needed: this costs nothing. */
    async function reserved<Request, Result>(effect: CarrierEffect<Request, Result>, key: string, of: Request) {
      if (!effect.reserve) return undefined;
      for (let step = 0; step < MAX_STEPS; step++) {
        const outcome = await outcomeOf(effect.reserve(call(), key, of));
        if (outcome.is === 'done') return outcome.result.remoteId;
        if (outcome.is === 'not_done') throw new Error(`The carrier refused to reserve: ${outcome.code}`);
      }
      throw new Error('The carrier never reserved.');
    }

    /** As the runner of effects: looks after an unknown result, and acts again only if the carrier did not act. */
    async function settled<Request, Result>(
      effect: CarrierEffect<Request, Result>,
      key: string,
      of: Request,
      remoteId: string | undefined,
    ): Promise<Outcome<Result>> {
      let outcome = await outcomeOf(effect.act(call(), key, of, remoteId));
      for (let step = 0; step < MAX_STEPS && outcome.is !== 'done'; step++) {
        if (outcome.is === 'not_done' && outcome.final) return outcome;
        const looked = await outcomeOf(effect.look(call(), key, of, remoteId));
        outcome = looked.is === 'not_done' ? await outcomeOf(effect.act(call(), key, of, remoteId)) : looked;
      }
      return outcome;
    }

    async function bought(of = request(), key: string = randomUUID()) {
      const { purchase } = carrier.adapter;
      const remoteId = await reserved(purchase, key, of);
      const outcome = await settled(purchase, key, of, remoteId);
      expect(outcome.is, JSON.stringify(outcome)).to.equal('done');
      return { key, remoteId, result: (outcome as Done<PurchaseResult>).result };
    }
    const numbersOf = ({ packages }: PurchaseResult) => packages.map(({ tracking_number }) => tracking_number);

    it('declares its capabilities', () => {
      const { adapter } = carrier;
      const { capabilities, purchase } = adapter;
      expect(adapter.id)
        .to.equal(id)
        .and.match(/^[a-z][a-z0-9_]{1,31}$/);
      expect(purchase.dedupe).to.not.equal('none');
      expect(purchase.reserve !== undefined, 'reserves if it acts on an object').to.equal(purchase.dedupe === 'object');
      expect(adapter.void !== undefined).to.equal(capabilities.void);
      expect(adapter.manifest !== undefined).to.equal(capabilities.manifest);
      expect(adapter.track !== undefined).to.equal(capabilities.tracking.includes('poll'));
      expect(adapter.inbound !== undefined).to.equal(capabilities.tracking.includes('push'));
      expect(capabilities.formats).to.not.be.empty;
      expect(adapter.settings.safeParse(carrier.account.settings).success, 'settings').to.equal(true);
      expect(adapter.credentials.safeParse(carrier.account.credentials).success, 'credentials').to.equal(true);
      expect(
        adapter.settings.safeParse({ ...(carrier.account.settings as object), unknown_member: 1 }).success,
      ).to.equal(false);
    });

    it('accepts its account', async () => {
      expect((await carrier.adapter.test(call())).is).to.equal('done');
    });

    it('lists methods with permanent codes and formats', async () => {
      const methods = await carrier.adapter.methods(call());
      const codes = methods.map(({ code }) => code);
      expect(codes).to.include(carrier.method_code);
      expect(new Set(codes).size).to.equal(codes.length);
      for (const { formats } of methods) expect(carrier.adapter.capabilities.formats).to.include.members([...formats]);
      expect(await carrier.adapter.methods(call())).to.deep.equal(methods);
    });

    it('rates a shipment and buys nothing', async () => {
      const before = await carrier.labelCount();
      const { rates } = await carrier.adapter.rate(call(), carrier.shipment);
      expect(rates.map(({ method_code }) => method_code)).to.include(carrier.method_code);
      for (const { cost, currency } of rates) {
        expect(cost).to.match(AMOUNT);
        expect(currency).to.match(/^[A-Z]{3}$/);
      }
      expect(await carrier.labelCount()).to.equal(before);
    });

    it('reports why a shipment has no rate', async () => {
      const { rates, errors } = await carrier.adapter.rate(call(), carrier.unserved);
      expect(rates).to.be.empty;
      expect(errors).to.not.be.empty;
    });

    it('buys a label with a number and a file', async () => {
      const { result } = await bought();
      expect(result.cost).to.match(AMOUNT);
      expect(result.packages.map(({ package_id }) => package_id)).to.deep.equal(
        carrier.shipment.packages.map(({ package_id }) => package_id),
      );
      for (const { label, tracking_number } of result.packages) {
        expect(tracking_number).to.not.equal('');
        if (!label) throw new Error('The label has no file.');
        if ('url' in label) expect(label.url).to.match(/^https?:/);
        else
          expect(Buffer.from(label.bytes).toString('latin1')).to.satisfy((text: string) =>
            text.startsWith(MAGIC[label.format]),
          );
      }
    });

    it('returns the files in each of its formats', async () => {
      const { formats } = carrier.adapter.capabilities;
      for (const label_format of formats) {
        const { result } = await bought(request({ label_format }));
        expect(result.packages[0]!.label?.format).to.equal(label_format);
      }
    });

    it('gives the same label for the same key, and buys it once', async () => {
      const before = await carrier.labelCount();
      const { key, remoteId, result } = await bought();
      const { purchase } = carrier.adapter;
      const looked = await purchase.look(call(), key, request(), remoteId);
      expect(looked.is).to.equal('done');
      expect(numbersOf((looked as Done<PurchaseResult>).result)).to.deep.equal(numbersOf(result));
      expect((looked as Done<PurchaseResult>).result.remote_id).to.equal(result.remote_id);
      const again = await settled(purchase, key, request(), remoteId);
      expect(numbersOf((again as Done<PurchaseResult>).result)).to.deep.equal(numbersOf(result));
      expect(await carrier.labelCount()).to.equal(before + 1);
    });

    it('buys one label if two workers act at the same time', async () => {
      const before = await carrier.labelCount();
      const key = randomUUID();
      const { purchase } = carrier.adapter;
      const remoteId = await reserved(purchase, key, request());
      const outcomes = await Promise.all([1, 2].map(() => settled(purchase, key, request(), remoteId)));
      const numbers = outcomes.map((outcome) => numbersOf((outcome as Done<PurchaseResult>).result));
      expect(numbers[0]).to.deep.equal(numbers[1]);
      expect(await carrier.labelCount()).to.equal(before + 1);
    });

    it('gives different labels for different keys', async () => {
      const numbers = (await Promise.all([1, 2, 3].map(() => bought()))).flatMap(({ result }) => numbersOf(result));
      expect(new Set(numbers).size).to.equal(numbers.length);
    });

    it('finds no label that was not bought', async () => {
      const key = randomUUID();
      const { purchase } = carrier.adapter;
      const remoteId = await reserved(purchase, key, request());
      expect((await purchase.look(call(), key, request(), remoteId)).is).to.equal('not_done');
    });

    it('does not buy above the maximum cost', async () => {
      const before = await carrier.labelCount();
      const { rates } = await carrier.adapter.rate(call(), carrier.shipment);
      const { currency } = rates.find(({ method_code }) => method_code === carrier.method_code)!;
      const key = randomUUID();
      const of = request({ max_cost: { amount: '0.01', currency } });
      const remoteId = await reserved(carrier.adapter.purchase, key, of);
      const outcome = await settled(carrier.adapter.purchase, key, of, remoteId);
      expect(outcome).to.include({ is: 'not_done', code: 'PRICE_CHANGED' });
      expect(await carrier.labelCount()).to.equal(before);
    });

    it('buys at the cost of the rate', async () => {
      const { rates } = await carrier.adapter.rate(call(), carrier.shipment);
      const { cost, currency } = rates.find(({ method_code }) => method_code === carrier.method_code)!;
      const { result } = await bought(request({ max_cost: { amount: cost, currency } }));
      expect(result.currency).to.equal(currency);
      expect(compare(result.cost, cost)).to.be.at.most(0);
    });

    it('refuses a shipment that it does not serve', async () => {
      const before = await carrier.labelCount();
      const key = randomUUID();
      const of = request({ shipment: carrier.unserved });
      const { purchase } = carrier.adapter;
      const remoteId = await purchase.reserve?.(call(), key, of);
      const isReserved = remoteId === undefined || remoteId.is === 'done';
      const outcome = isReserved
        ? await settled(purchase, key, of, remoteId?.is === 'done' ? remoteId.result.remoteId : undefined)
        : remoteId;
      expect(outcome.is).to.equal('not_done');
      expect(await carrier.labelCount()).to.equal(before);
    });

    for (const fault of faults)
      it(`buys one label, whatever happens: ${fault}`, async () => {
        const before = await carrier.labelCount();
        const key = randomUUID();
        const { purchase } = carrier.adapter;
        const remoteId = await reserved(purchase, key, request());
        await carrier.failNext(fault);
        const first = await outcomeOf(purchase.act(call(), key, request(), remoteId));
        expect(first.is, 'the result is not guessed').to.equal('unknown');
        const outcome = await settled(purchase, key, request(), remoteId);
        expect(outcome.is, JSON.stringify(outcome)).to.equal('done');
        expect(await carrier.labelCount()).to.equal(before + 1);
      });

    it('voids a label, and repeats it without effect', async function () {
      const effect = carrier.adapter.void;
      if (!effect) return skip(this, `${id} voids no labels`);
      const { result } = await bought();
      const of = { remote_id: result.remote_id, tracking_number: numbersOf(result)[0]! };
      const key = randomUUID();
      const remoteId = await reserved(effect, key, of);
      const first = await settled(effect, key, of, remoteId);
      expect(first.is, JSON.stringify(first)).to.equal('done');
      expect((first as Done<{ status: string }>).result.status).to.be.oneOf(['submitted', 'refunded']);
      const again = await settled(effect, key, of, remoteId);
      expect(again.is, JSON.stringify(again)).to.equal('done');
      const looked = await effect.look(call(), key, of, remoteId);
      expect(looked.is, JSON.stringify(looked)).to.equal('done');
    });

    it('maps statuses to codes, each once', () => {
      const raws = carrier.adapter.statusMapping.map(({ raw }) => raw);
      expect(new Set(raws).size).to.equal(raws.length);
    });
  });
}
