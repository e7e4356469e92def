/**
 * U1: later use of a number by another party changes no response. An order's own number means the order, any other
 * number the first parcel that used it.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { FORMATS } from '../../../src/serializers/index.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { newNumber, RECENT, recently as event, timelineOf } from '../../support/inputs/pushes.js';
import { openOrderFixture, type OrderFixture } from '../../support/worlds/orders.js';
import type { Answer } from '../../support/clients/http.js';

const SSCCS = ['340123450000000017', '340123450000000024', '340123450000000031'];
const PROVIDERS = ['acme', 'best', 'crow'] as const;
const OWNERS = [...PROVIDERS, 'client_admin', 'other_client_admin'] as const;
type Owner = (typeof OWNERS)[number];

describe('shadowing', () => {
  let t: TestService;
  let fixture: OrderFixture;
  const keys = new Map<string, string>();
  before(async () => {
    t = await startTestService();
    fixture = openOrderFixture(t);
    for (const id of PROVIDERS) keys.set(id, await t.addProvider(id));
  });
  after(() => t.stop());

  const links = ({ headers }: Answer) => headers.get('link') ?? '';

  it('U1: a parcel on hold stays on hold in every format and in public, whichever provider pushes its number', async () => {
    const { order_id, tracking_numbers } = await fixture.order({
      packages: [{ external_tracking_number: newNumber() }],
    });
    const [number] = tracking_numbers as [string];
    const { packages } = await fixture.read(order_id);
    const external = packages[0].external_tracking_number as string;
    const readFormats = async (name: string) => {
      const formats = await Promise.all(
        FORMATS.map((format) => t.read(name, undefined, { query: `?format=${format.name}` })),
      );
      const batch = await t.api('/otep/trackings/batch', { body: { tracking_numbers: [name] } });
      const rest = await Promise.all(['', '/events'].map((path) => t.api(`/otep/trackings/${name}${path}`)));
      return [...formats, await t.api(`/tracking/${name}`), batch, ...rest];
    };
    for (const name of [number, external]) {
      const before = await readFormats(name);
      const pushed = await t.push(timelineOf(name, [event('delivered', 1)]), { key: keys.get('acme')! });
      expect(pushed.json.accepted, 'an external number is the carrier’s own').to.equal(name === number ? 0 : 1);
      for (const subject of [{ external_tracking_number: name }, { piece_id: name }]) {
        const other = { subject, events: [event('delivered', 1)] };
        const { json, text } = await t.push(other, { key: keys.get('best')! });
        // A number that the service assigned can only name its parcel.
        expect(json.accepted, text).to.equal(name === number ? 0 : 1);
        if (name === number) expect(text).to.include('NUMBER_RESERVED');
      }
      const named = await t.push(timelineOf(newNumber(), [event('received')], { piece_id: name }));
      if (name === external) await t.read(name, named);
      else expect(named.text).to.include('NUMBER_RESERVED');
      const after = await readFormats(name);
      after.forEach((answer, index) => {
        const [was, is] = [before[index]!, answer].map(({ text }) => text);
        expect(withoutOthers(is!), `${index}: ${is}`).to.equal(withoutOthers(was!));
      });
      for (const answer of after.slice(0, FORMATS.length + 1)) {
        if (name === external) expect(links(answer)).to.match(/carrier=demo[^>]*>; rel="canonical"/);
        expect(/carrier=best[^>]*>; rel="alternate"/.test(links(answer)), links(answer)).to.equal(name === external);
      }
    }
  });

  it('U1: every format with a field for it lists the other carriers', async () => {
    const number = newNumber();
    const pushedEvents = [event('picked_up', 1)];
    await t.push(timelineOf(number, pushedEvents));
    const pushed = await t.push(timelineOf(number, pushedEvents), { key: keys.get('acme')! });
    for (const name of ['otep', 'epcis', 'onerecord', 'uncefact', 'otlp', 'sensorthings', 'aftership', 'woocommerce']) {
      const { text, headers } = await t.read(number, pushed, { query: `?format=${name}` });
      expect(text, name).to.match(/alternatives.{0,60}acme/);
      expect(text, name).to.include('demo-carrier');
      const other = /<([^>]*)>; rel="alternate"/.exec(headers.get('link')!)![1]!;
      const followed = await (await fetch(other)).text();
      expect(followed, name).to.match(/alternatives.{0,60}demo-carrier/);
    }
    const { json } = await t.api(`/tracking/${number}?carrier=acme`);
    expect(json).to.deep.include({ carrier: 'acme', alternatives: ['demo-carrier'] });
  });

  it('U1: no read is changed by another owner, with any push or order under any spelling', async () => {
    const step = fc.record({
      owner: fc.constantFrom<Owner>(...OWNERS),
      name: fc.nat(2),
      as: fc.constantFrom('tracking_number', 'external_tracking_number', 'piece_id', 'gs1_sscc', 'later'),
      spelling: fc.nat(3),
      status: fc.constantFrom('received', 'delivered', 'retract'),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async (steps) => {
        run += 1;
        const names = [`N${process.pid}R${run}A`, SSCCS[run % 3]!, `N${process.pid}R${run}B`];
        // Each provider already has a parcel, which may later also be named as this one.
        for (const id of PROVIDERS)
          await t.push(timelineOf(mineOf(id, run), [event('received')]), { key: keys.get(id)! });
        const readings = names.flatMap((name) => spellings(name));
        let before = await readAll(readings);
        for (const [index, one] of steps.entries()) {
          const after = await act(one, spellings(names[one.name]!)[one.spelling]!, { index, run });
          const now = await readAll(readings, after);
          for (const [name, was] of before) {
            // A parcel whose only scan was retracted does not hold its number.
            if (was === undefined || was.carrier === nameOf(one.owner) || was.events.length === 0) continue;
            expect(now.get(name), `${name} after ${JSON.stringify(one)}`).to.deep.equal(was);
          }
          before = now;
        }
      }),
      { numRuns: 12 },
    );
    await expectSameReplay(t, ['timeline']);
  });

  /** One action of an owner; the response has the position from which reads show it. */
  async function act(
    { owner, as, status }: { owner: Owner; as: string; status: string },
    name: string,
    { index, run }: { index: number; run: number },
  ): Promise<Answer> {
    if (!keys.has(owner)) {
      const body = { ...ORDER_BODY, packages: [{ external_tracking_number: name }] };
      return fixture.as(owner as 'client_admin', '/client/orderCreate', { body });
    }
    const key = keys.get(owner)!;
    const isSscc = /^\D*\d{18,20}$/.test(name.replaceAll(' ', ''));
    const kind = as === 'gs1_sscc' && !isSscc ? 'piece_id' : as;
    const subject =
      kind === 'later' ? { tracking_number: mineOf(owner, run), external_tracking_number: name } : { [kind]: name };
    const id = `urn:x:${owner}:${name}`;
    const pushedEvent =
      status === 'retract'
        ? { retracts: id, occurred_at: new Date(RECENT + index).toISOString() }
        : event(status, index, { event_id: status === 'received' ? id : `${id}:${index}` });
    return t.push({ subject, events: [pushedEvent] }, { key });
  }

  async function readAll(names: readonly string[], after?: Answer) {
    const read = async (name: string) => {
      const { status, json } = await t.read(name, after);
      const { alternatives: _others, ...withoutAlternatives } = json;
      return [name, status === 200 ? withoutAlternatives : undefined] as const;
    };
    return new Map(await Promise.all(names.map(read)));
  }

  const nameOf = (owner: Owner): string =>
    owner === 'client_admin' ? 'demo' : owner === 'other_client_admin' ? 'other' : owner;
});

const ORDER_BODY = { type: 'D', delivery: { name: 'A', street: 'B 1', city: 'C', country: 'DE' } };

const mineOf = (owner: Owner, run: number): string => `${owner}${process.pid}R${run}`;

const spellings = (name: string): string[] => [
  name,
  name.toLowerCase(),
  `${name.slice(0, 4)} ${name.slice(4)}`,
  /^\d{18}$/.test(name) ? `00${name}` : ` ${name}`,
];

/** A document without the list of other parcels, which is all that a push of another owner may change. */
const withoutOthers = (text: string): string =>
  text
    .replaceAll(/,?"(?:otep:)?alternatives":(?:\[[^\]]*\]|"[^"]*")/g, '')
    .replaceAll(/,?\{"key":"otep[._]alternatives","value":(?:\{[^}]*\}|"[^"]*")\}/g, '')
    .replaceAll(/,"otep_alternatives":"[^"]*"/g, '')
    .replaceAll(/"creation(?:Date|_date)":"[^"]*"/g, '');
