/**
 * Recorded traffic of EasyPost's test mode: its responses go through the parsers of the adapter, and the requests of the
 * adapter and the objects of the double are compared with it, member by member.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { z } from 'zod';
import { methodCodeOf, toMethods } from '../../src/engines/outside/carriers/easypost/methods.js';
import * as objects from '../../src/engines/outside/carriers/easypost/objects.js';
import { refusalOf } from '../../src/engines/outside/carriers/easypost/refusals.js';
import { rawStatusOf, STATUS_MAPPING } from '../../src/engines/outside/carriers/easypost/statuses.js';
import type { CarrierShipment } from '../../src/engines/outside/carriers/port.js';
import { needsRecordings, objectsIn, readRecordings, type Recorded } from '../support/inputs/easypost.js';
import { buy, callWith, doneOf, easypostAt, METHOD, purchaseOf, SHIPMENT } from '../support/easypost/calls.js';
import { libraryFor } from '../support/easypost/library.js';
import { EASYPOST_KEY, startEasypost, type EasypostDouble } from '../support/easypost/start-easypost.js';

type Members = Readonly<Record<string, unknown>>;

/** The parser of an object of EasyPost. */
const PARSERS: Readonly<Record<string, z.ZodType>> = {
  Shipment: objects.shipmentSchema,
  Rate: objects.rateSchema,
  Tracker: objects.trackerSchema,
  ScanForm: objects.scanFormSchema,
  Event: objects.eventSchema,
};

/** The kind of call: `POST /v2/shipments/:id/buy`. */
const kindOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path.replace(/\/[a-z]+_[0-9a-f]{32}/g, '/:id')}`;

const REMOTE = /^shp_[0-9a-f]{32}$/;
/** `$.shipment.parcel.weight: number` of each member; items of an array have one path. */
function pathsOf(value: unknown, path = '$'): readonly string[] {
  if (Array.isArray(value)) return [`${path}: array`, ...value.flatMap((one) => pathsOf(one, `${path}[]`))];
  if (typeof value !== 'object' || value === null) return [`${path}: ${value === null ? 'null' : typeof value}`];
  return [`${path}: object`, ...Object.entries(value).flatMap(([name, one]) => pathsOf(one, `${path}.${name}`))];
}

describe('recordings of EasyPost', () => {
  let files: number;
  let calls: readonly Recorded[];
  before(function () {
    needsRecordings(this);
    ({ files, calls } = readRecordings());
  });
  const callsOf = (kind: string) => calls.filter((one) => kindOf(one) === kind);
  /** Objects of the paths that the adapter uses, and similar ones. Three interfaces have other shapes. */
  const found = (object: string) =>
    calls
      .filter(({ path, status }) => !/^\/beta|\/luma$|\/smartrate/.test(path) && status < 300)
      .flatMap(({ response, of }) => objectsIn(response).map((one) => ({ one, of })))
      .filter(({ one }) => one['object'] === object);

  it('are complete', () => {
    expect(files).to.equal(161);
    expect(callsOf('POST /v2/shipments').length).to.be.at.least(39);
    expect(callsOf('POST /v2/shipments/:id/buy').length).to.be.at.least(6);
  });

  for (const [object, least] of [
    ['Shipment', 60],
    ['Rate', 200],
    ['Tracker', 40],
    ['ScanForm', 8],
    ['Event', 20],
  ] as const)
    it(`have only objects that the parser reads: ${object}`, () => {
      const all = found(object);
      expect(all.length).to.be.at.least(least);
      const unreadable = all.flatMap(({ one, of }) => {
        const parsed = PARSERS[object]!.safeParse(one);
        return parsed.success ? [] : [`${of}: ${parsed.error.message}`];
      });
      expect(unreadable).to.deep.equal([]);
    });

  it('have lists that the parsers read', () => {
    for (const [kind, schema] of [
      ['POST /v2/trackers/batch', objects.trackersSchema],
      ['GET /v2/trackers', objects.trackersSchema],
      ['GET /v2/carrier_accounts', objects.carrierAccountsSchema],
      ['GET /v2/metadata/carriers', objects.carriersSchema],
    ] as const) {
      const some = callsOf(kind);
      expect(some, kind).to.not.be.empty;
      for (const { response } of some) schema.parse(response);
    }
    for (const { response } of callsOf('POST /v2/scan_forms')) objects.scanFormSchema.parse(response);
  });

  it('have the sender and the carrier account of each shipment that was bought', () => {
    const bought = found('Shipment').filter(({ one }) => one['selected_rate']);
    expect(bought.length).to.be.at.least(15);
    for (const { one } of bought) objects.senderSchema.parse(one);
    expect(bought.filter(({ one }) => one['scan_form'])).to.not.be.empty;
  });

  it('have errors with a code and a text', () => {
    const failures = calls.filter(({ status }) => status >= 400);
    expect(failures.length).to.be.at.least(10);
    for (const { response, status } of failures) {
      const { code, text } = refusalOf(response, status);
      expect([code, text], JSON.stringify(response)).to.satisfy(
        ([one, other]: [string, string | undefined]) => /^[A-Z_.]+$/.test(one) && Boolean(other),
      );
    }
  });

  it('have rates with the methods of the list of carriers, and statuses with a mapping', () => {
    const [all] = callsOf('GET /v2/metadata/carriers').filter(({ query }) => query.size === 0);
    const { carriers } = objects.carriersSchema.parse(all!.response);
    const methods = toMethods(carriers, new Set(carriers.map(({ name }) => name)));
    expect(methods.length).to.equal(carriers.reduce((sum, one) => sum + one.service_levels.length, 0));
    const codes = new Set(methods.map(({ code }) => code));
    for (const { one } of found('Rate')) expect(codes).to.include(methodCodeOf(objects.rateSchema.parse(one)));
    const raws = new Set(STATUS_MAPPING.map(({ raw }) => raw));
    const details = found('Tracker').flatMap(({ one }) => objects.trackerSchema.parse(one).tracking_details);
    expect(details).to.not.be.empty;
    for (const detail of details) expect(raws).to.include(rawStatusOf(detail));
  });

  describe('compared with the adapter', () => {
    interface Sent {
      readonly kind: string;
      readonly query: string;
      readonly body: unknown;
    }
    const sent: Sent[] = [];
    let url: string;
    let stop: () => Promise<unknown>;
    /** Responds with recorded responses. */
    before(async () => {
      const recorded = (kind: string, of?: string) =>
        callsOf(kind).find((one) => of === undefined || one.of === of)!.response;
      const server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const { pathname: path, searchParams } = new URL(request.url!, 'http://recorded');
          const kind = kindOf({ method: request.method!, path });
          const text = Buffer.concat(chunks).toString();
          sent.push({ kind, query: [...searchParams.keys()].join(), body: text === '' ? undefined : JSON.parse(text) });
          // The shipment before its purchase.
          const found =
            kind === 'GET /v2/shipments/:id' ? recorded('POST /v2/shipments', 'buys-a-shipment') : recorded(kind);
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found));
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      stop = () => new Promise((resolve) => server.close(resolve));
    });
    after(() => stop?.());

    /** Members of the request that no recorded request of its kind has with the same type. */
    const unrecorded = ({ kind, body }: Sent): readonly string[] => {
      const known = new Set(callsOf(kind).flatMap(({ request }) => pathsOf(request)));
      return pathsOf(body ?? {}).filter((path) => body !== undefined && !known.has(path));
    };
    const lastOf = (kind: string): Sent => sent.filter((one) => one.kind === kind).at(-1)!;

    it('a purchase has the recorded requests', async () => {
      const full = callsOf('POST /v2/shipments').find(({ of }) => of === 'buys-a-shipment')!.request as {
        readonly shipment: Members;
      };
      const shipment: CarrierShipment = {
        ...SHIPMENT,
        order_ref: '123',
        customs: {
          contents: 'merchandise',
          incoterm: 'DAP',
          items: [
            {
              description: 'Sweet shirts',
              quantity: 2,
              value: '11.625',
              currency: 'USD',
              // 5.5 ounces.
              weight_kg: 0.1559223771875,
              hs_code: '654321',
              origin: 'US',
            },
          ],
        },
      };
      const call = callWith({ settings: { customs_signer: 'Steve Brule' } });
      const { outcome } = await buy(easypostAt(url), call, '123', purchaseOf({ shipment }));
      expect(doneOf(outcome).packages[0]!.tracking_number).to.match(/^94/);

      const created = lastOf('POST /v2/shipments');
      const { customs_info: info, options, ...plain } = (created.body as { readonly shipment: Members }).shipment;
      const { customs_info: recordedInfo, options: recordedOptions, ...recordedPlain } = full.shipment;
      expect(plain).to.deep.equal(recordedPlain);
      const { customs_items: items, ...declaration } = info as { readonly customs_items: readonly Members[] };
      const { customs_items: recordedItems, ...recordedDeclaration } = recordedInfo as typeof info & object as {
        readonly customs_items: readonly Members[];
      };
      expect(declaration).to.deep.equal(recordedDeclaration);
      expect(items).to.deep.equal(recordedItems.map((item) => ({ ...item, currency: 'USD' })));
      expect(options).to.deep.equal({ ...(recordedOptions as object), incoterm: 'DAP' });

      const bought = lastOf('POST /v2/shipments/:id/buy');
      expect(unrecorded(bought)).to.deep.equal([]);
    });

    it('every other request has only recorded members', async () => {
      const adapter = easypostAt(url);
      const call = callWith({ settings: { carrier_accounts: ['ca_1'] } });
      const id = String((callsOf('POST /v2/shipments/:id/buy')[0]!.response as Members)['id']);
      expect(id).to.match(REMOTE);
      const label = { remote_id: id, tracking_number: '9400100110368068953112' };
      doneOf(await adapter.test(call));
      const { rates } = await adapter.rate(call, SHIPMENT);
      expect(rates.map(({ method_code: code }) => code)).to.include(METHOD);
      expect((await adapter.methods(call)).map(({ code }) => code)).to.include.members([
        METHOD,
        'dhlexpress.economyselect',
        'lso.groundbasic',
      ]);
      const insured = purchaseOf({ shipment: { ...SHIPMENT, options: { insurance_amount: '100.00' } } });
      doneOf(await adapter.purchase.act(call, '1', insured, id));
      doneOf(await adapter.void!.act(call, '1', label, undefined));
      doneOf(await adapter.label!(call, id, 'zpl'));
      doneOf(await adapter.track!(call, [label]));
      await adapter.manifest!.act(
        call,
        '1',
        { ship_date: '2024-07-30', from: SHIPMENT.from, labels: [label] },
        undefined,
      );
      const kinds = new Set(sent.map(({ kind }) => kind));
      for (const kind of kinds) {
        expect(callsOf(kind), kind).to.not.be.empty;
        const queries = callsOf(kind).map(({ query }) => [...query.keys()].join());
        for (const one of sent.filter((other) => other.kind === kind)) expect(queries, kind).to.include(one.query);
      }
      const departures = sent.filter(({ kind }) => kind !== 'POST /v2/shipments').flatMap(unrecorded);
      expect(departures).to.deep.equal([]);
    });

    it('members that no recording has are those of the documentation', async () => {
      const shipment: CarrierShipment = {
        ...SHIPMENT,
        return_to: SHIPMENT.from,
        ship_date: '2100-01-01',
        options: { signature: 'adult', residential: true, saturday: true, cod_amount: '5.00' },
      };
      const call = callWith({ settings: { carrier_accounts: ['ca_1'], currency: 'CAD' } });
      await easypostAt(url).rate(call, shipment);
      expect(
        unrecorded(lastOf('POST /v2/shipments')).filter((path) => !path.startsWith('$.shipment.return_address.')),
      ).to.deep.equal([
        '$.shipment.to_address.residential: boolean',
        '$.shipment.return_address: object',
        '$.shipment.options.label_date: string',
        '$.shipment.options.currency: string',
        '$.shipment.options.delivery_confirmation: string',
        '$.shipment.options.saturday_delivery: boolean',
        '$.shipment.options.cod_amount: string',
        '$.shipment.options.cod_method: string',
      ]);
    });
  });

  describe('compared with the double', () => {
    let folder: string;
    let double: EasypostDouble;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'transport-easypost-'));
      double = await startEasypost(join(folder, 'state'));
    });
    after(async () => {
      await double?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    /** Members that are missing or have another type. Any member may be null. */
    const departures = (object: unknown, recorded: unknown): readonly string[] => {
      const types = new Map(pathsOf(object).map((path) => path.split(': ') as [string, string]));
      const isFree = (path: string) => [...types].some(([name, type]) => type === 'null' && path.startsWith(name));
      return pathsOf(recorded).filter((path) => {
        const [name, type] = path.split(': ') as [string, string];
        return types.get(name) !== type && type !== 'null' && !isFree(name);
      });
    };

    it('its objects have the recorded members, when the official library drives it', async () => {
      const library = libraryFor({ url: double.url, key: EASYPOST_KEY });
      const recorded = (kind: string) => callsOf(kind)[0]!.response;
      const request = callsOf('POST /v2/shipments').find(({ of }) => of === 'buys-a-shipment')!.request as {
        readonly shipment: object;
      };
      const created = await library.Shipment.create(request.shipment as never);
      const buys = callsOf('POST /v2/shipments/:id/buy').find(({ of }) => of === 'buys-a-shipment')!;
      const creates = callsOf('POST /v2/shipments').find(({ of }) => of === 'buys-a-shipment')!;
      expect(departures(created, creates.response)).to.deep.equal([]);
      const bought = await library.Shipment.buy(created.id, created.rates[0]!.id);
      // EasyPost verifies the address of the recipient, and the tracker begins without events.
      const { verifications: _verified, ...to_address } = (buys.response as { readonly to_address: Members })
        .to_address;
      const recordedBuy = { ...(buys.response as Members), to_address, buyer_address: to_address, tracker: null };
      expect(departures(bought, recordedBuy)).to.deep.equal([]);
      const form = await library.ScanForm.create({ shipments: [{ id: created.id }] } as never);
      expect(departures(form, recorded('POST /v2/scan_forms'))).to.deep.equal([]);
      const tracker = await library.Tracker.create({ tracking_code: 'EZ1000000001' });
      expect(
        departures(tracker, { ...(recorded('POST /v2/trackers') as Members), finalized: null, is_return: null }),
      ).to.deep.equal([]);
      const hook = await library.Webhook.create({ url: 'http://127.0.0.1:1', webhook_secret: 's' });
      expect(departures(hook, recorded('POST /v2/webhooks'))).to.deep.equal([]);
      const { carriers } = objects.carriersSchema.parse(await library.makeApiCall('get', 'metadata/carriers'));
      expect(carriers.map(({ name }) => name)).to.include('usps');
    });
  });
});
