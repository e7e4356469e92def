/**
 * Addresses that are in no dataset are requested from a Nominatim server: content, rate, and the effect of a failure.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { GeocoderDown, type AddressServer } from '../../../src/engines/geocoding/geocoder.js';
import { Nominatim } from '../../../src/engines/geocoding/nominatim.js';
import { createRateLimitedGeocoder } from '../../../src/engines/geocoding/rate-limited-geocoder.js';
import { eventually, WAIT_LIMIT_MS } from '../../support/eventually.js';
import { NOMINATIM_HOUSE, startNominatim } from '../../support/fakes/nominatim.js';
import type { JsonServer } from '../../support/fakes/json-server.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const KANT = { latitude: 52.5061, longitude: 13.3206 };
const HOUSE = { street: 'Bleibtreustraße 7', city: 'Berlin', postal_code: '10623', country: 'DE' };
const STOP = { ...HOUSE, name: 'Ada Geheim' };

describe('geocoding by a Nominatim server', () => {
  let server: JsonServer;
  let t: TestService;
  let day: Day;
  before(async () => {
    server = await startNominatim();
    t = await startTestService({ env: { NOMINATIM_URL: `${server.url}/`, NOMINATIM_RPS: '50' } });
    day = await openDay(t, { drivers: 1 });
    const { json } = await day.as('employee', '/datasets', { code: 'streets', name: 'Streets', kind: 'geocoding' });
    const values = { street: 'Kantstraße 12', postal_code: '10623', country: 'DE', position: KANT };
    await day.as('employee', `/datasets/${json.dataset.id}/records/batch`, { records: [{ values }] }, 'POST');
  });
  after(async () => {
    await t.stop();
    await server.close();
  });

  const geocode = async (...addresses: object[]) => {
    const { status, json, text } = await day.as('broker', '/geocode', { addresses });
    expect(status, text).to.equal(200);
    return json.places;
  };
  const asks = async (work: () => Promise<unknown>): Promise<number> => {
    const before = server.requestBodies.length;
    await work();
    return server.requestBodies.length - before;
  };

  it('finds addresses that no dataset has, names itself, and sends only the address', async () => {
    const [place] = await geocode(HOUSE);
    expect(place).to.deep.include({
      position: NOMINATIM_HOUSE,
      precision: 'rooftop',
      confidence: 0.95,
      source: { geocoder: 'nominatim' },
      code: null,
    });
    expect(server.requests.at(-1)!.userAgent).to.match(/^OpenTransport\/\d[^ ]* \(\+http.+\)$/);
    expect([...new URL(server.requestBodies.at(-1)!, server.url).searchParams.keys()]).to.have.members([
      'street',
      'city',
      'postalcode',
      'countrycodes',
      'limit',
      'format',
      'addressdetails',
    ]);
  });

  it('is not called for addresses of a dataset, nor for earlier results', async () => {
    expect(await asks(() => geocode({ street: 'Kantstr. 12', postal_code: '10623' }))).to.equal(0);
    expect(await asks(() => geocode({ ...HOUSE, street: ' BLEIBTREUSTRASSE 7'.replace('SS', 'ß') }))).to.equal(0);
    const { rows } = await t.service.engines.pool.query<{ bytes: Buffer }>(
      'select asked || answer as bytes from access.geocoded',
    );
    expect(rows).to.not.be.empty;
    for (const { bytes } of rows) expect(bytes.toString('latin1')).to.not.match(/Bleib|52\.51/);
  });

  it('reports the precision: another house is a street match, a town is not enough, two distant matches are ambiguous', async () => {
    const [street, town, twins] = await geocode(
      { ...HOUSE, street: 'Bleibtreustraße 9' },
      { street: 'Unbekannt 1', city: 'Zehdenick' },
      { street: 'Doppelweg 1', city: 'Irgendwo' },
    );
    expect(street).to.include({ precision: 'street', confidence: 0.75 });
    expect(town).to.include({ code: 'NOT_FOUND', position: null });
    expect(twins.code).to.equal('AMBIGUOUS');
    expect(twins.candidates).to.have.lengthOf(2);
  });

  it('returns the address at a position', async () => {
    const at = (latitude: number) => day.as('driver', `/geocode/reverse?latitude=${latitude}&longitude=13.33`);
    const { place } = (await at(52.51)).json;
    expect(place.address).to.deep.equal({
      street: 'Bleibtreustraße 7',
      postal_code: '10623',
      city: 'Berlin',
      country: 'DE',
    });
    expect(place.source).to.deep.equal({ geocoder: 'nominatim' });
    expect((await at(10)).json.place).to.include({ code: 'NOT_FOUND', address: null });
  });

  it('gives new orders their positions, and receives no names', async () => {
    const [id] = await day.orders(1, () => ({ delivery: STOP }));
    await eventually(async () => (await day.order(id!)).delivery.position, 'a position');
    expect((await day.order(id!)).delivery).to.deep.include({ position: NOMINATIM_HOUSE });
    expect(server.requestBodies.filter((path) => decodeURIComponent(path).includes('Geheim'))).to.deep.equal([]);
  });

  it('deletes all its stored results when a person is erased', async () => {
    const [id] = await day.orders(1);
    await day.as('client_admin', `/privacy/subjects/order-${id!}/erase`, {});
    expect(await asks(() => geocode(HOUSE))).to.equal(1);
  });

  it('places 7: hangs: 100 addresses have their codes after few calls, plans report NOT_GEOCODED, datasets respond without a call', async () => {
    server.fail('hang');
    let places: { readonly code: string }[] = [];
    const calls = await asks(async () => {
      places = await geocode(
        ...Array.from({ length: 99 }, (_, n) => ({ street: `Hängeweg ${n}`, postal_code: '10999' })),
        { street: 'Kantstraße 12', postal_code: '10623' },
      );
    });
    // No response ever arrives: the request times out once for all of them.
    expect(calls).to.be.within(1, 5);
    expect(places.slice(0, 99).every(({ code }: { code: string }) => code === 'GEOCODER_DOWN')).to.equal(true);
    expect(places[99]).to.deep.include({ position: KANT });
    const [known, unknown] = await day.orders(2, (n) => ({
      delivery: { ...STOP, street: ['Kantstraße 12', 'Hängeweg 1'][n] },
    }));
    const plan = await day.plan({ order_ids: [known, unknown], auto_commit: false });
    expect(
      plan.unassigned.map(({ order_id, reasons }: { order_id: number; reasons: { code: string }[] }) => [
        order_id,
        reasons[0]!.code,
      ]),
    ).to.deep.equal([[unknown, 'NOT_GEOCODED']]);
    expect(await asks(() => geocode({ street: 'Kantstr. 12', postal_code: '10623' }))).to.equal(0);
    server.fail(500, 0);
  });

  describe('with rate limits', () => {
    // Another key for each attempt, so that results of an earlier attempt are unknown.
    let key: Buffer;
    beforeEach(() => void (key = randomBytes(32)));
    const manners = (rps: number, now?: () => number) => ({
      pool: t.service.engines.pool,
      secret: () => key,
      rps,
      ...(now && { now }),
    });
    /** Counts its requests. */
    const fake = (name: string, answer: () => Promise<[]> = () => Promise.resolve([])) => {
      const asked = { times: 0 };
      const find = () => {
        asked.times += 1;
        return answer();
      };
      return { asked, server: { name, takesBulk: true, find, at: () => Promise.resolve(undefined) } as AddressServer };
    };
    const background = () => AbortSignal.timeout(WAIT_LIMIT_MS);
    const streets = (count: number, area: string) =>
      Array.from({ length: count }, (_, n) => ({ street: `Weg ${n}`, city: area }));

    it('has one queue for all processes', async () => {
      const { asked, server } = fake('quick');
      const processes = [
        createRateLimitedGeocoder(server, manners(50)),
        createRateLimitedGeocoder(server, manners(50)),
      ];
      await Promise.all(processes.map((one, n) => one.find(streets(4, `town ${n}`), background())));
      expect(asked.times).to.equal(8);
    });

    it('has one rate for all processes', async () => {
      const { asked, server } = fake('slow');
      /** The time of the next free slot, in hours from now; 0 before the first. */
      const turns = async () => {
        const { rows } = await t.service.engines.pool.query<{ turns: number }>(
          `select round(extract(epoch from next_at - now()) / 3600)::int as turns from access.geocoder_turns where geocoder = 'slow'`,
        );
        return rows[0]?.turns ?? 0;
      };
      const over = new AbortController();
      const asking = [1, 2].map((n) =>
        createRateLimitedGeocoder(server, manners(1 / 3_600)).find(streets(4, `town ${n}`), over.signal),
      );
      // They request slots in alternation: the first process its second one, or the other process its first one.
      await eventually(async () => (await turns()) === 3, 'three turns');
      expect(asked.times, 'in the first hour').to.equal(1);
      over.abort();
      await Promise.all(asking);
      expect(asked.times).to.equal(1);
    });

    it('is not called for a while after five failures, and called again later', async () => {
      let clock = 0;
      const down = fake('down', () => Promise.reject(new GeocoderDown('503')));
      const one = createRateLimitedGeocoder(
        down.server,
        manners(1_000, () => clock),
      );
      const answers = await one.find(streets(20, 'x'), background());
      expect(answers.every((answer) => answer === undefined)).to.equal(true);
      expect(down.asked.times).to.equal(5);
      await one.find(streets(1, 'y'), background());
      expect(down.asked.times).to.equal(5);
      clock = 31_000;
      await one.find(streets(1, 'z'), background());
      expect(down.asked.times).to.equal(6);
    });

    it('follows no redirect, rejects other forms of response, and sends no bulk requests to the public server', async () => {
      const requests: string[] = [];
      const http = createServer((request, response) => {
        requests.push(request.url!);
        if (request.url!.startsWith('/elsewhere')) return response.end('[]');
        if (request.url!.includes('street=form')) return response.end('[{"lat":"north"}]');
        return response.writeHead(302, { location: '/elsewhere' }).end();
      });
      http.listen(0, '127.0.0.1');
      await once(http, 'listening');
      const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
      const nominatim = new Nominatim({ url, userAgent: () => 'test' });
      for (const street of ['redirect', 'form']) {
        const result = await nominatim.find({ street }).catch((error: unknown) => error);
        expect(result).to.be.instanceOf(GeocoderDown);
      }
      expect(requests.filter((path) => path.startsWith('/elsewhere'))).to.deep.equal([]);
      http.close();
      expect(nominatim.takesBulk).to.equal(true);
      const publicOne = new Nominatim({ url: 'https://nominatim.openstreetmap.org', userAgent: () => 'test' });
      expect(publicOne.takesBulk).to.equal(false);
    });
  });
});
