/**
 * The sample documents of the standard at the ingest endpoint: each gets a response with reasons and the verdict of the
 * schema, and none causes a request to another host.
 */
import { expect } from 'chai';
import type { ValidateFunction } from 'ajv';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';
import { needs, officialSchema, samples, type Sample } from '../../support/inputs/epcis.js';
import { watchNetwork, type NetworkWatch } from '../../support/checks/network-watch.js';
import { outcomesOf } from '../../support/inputs/epcis-documents.js';
import type { Answer } from '../../support/clients/http.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('EPCIS: sample documents of the standard', () => {
  let t: TestService;
  let watch: NetworkWatch;
  let isValid: ValidateFunction;
  before(async function () {
    needs(this, 'standards');
    needs(this, 'samples');
    isValid = officialSchema();
    t = await startTestService();
    watch = watchNetwork();
  });
  after(async () => {
    watch?.stop();
    await t?.stop();
  });

  const push = (document: unknown, headers = {}) =>
    t.api('/otep/ingest/epcis', {
      key: t.demo.provider.key,
      body: document,
      headers: { 'content-type': 'application/ld+json', ...headers },
    });

  /**
   * Some samples repeat an eventID of an earlier sample with another event. A repository rejects that
   * (EVENT_ID_REUSED), so this function removes the repeated eventID.
   */
  function asOfOneRepository(): Sample[] {
    const known = new Map<string, string>();
    const without = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(without);
      if (typeof value !== 'object' || value === null) return value;
      const members = Object.entries(value).map(([name, member]) => [name, without(member)] as const);
      const text = JSON.stringify(value);
      const id = (value as { eventID?: unknown }).eventID;
      if (typeof id !== 'string' || (known.get(id) ?? text) === text) {
        if (typeof id === 'string') known.set(id, text);
        return Object.fromEntries(members);
      }
      return Object.fromEntries(members.filter(([name]) => name !== 'eventID'));
    };
    return samples().map(({ name, document }) => ({ name, document: without(document) as Sample['document'] }));
  }

  it('get the verdict of the schema, event by event', async () => {
    const all = asOfOneRepository();
    expect(all).to.have.length(47);
    for (const { name, document } of all) {
      const answer = await push(document);
      if (!isValid(document)) {
        expect(answer.json.rejected ?? 1, name).to.be.greaterThan(0);
        continue;
      }
      expect([answer.status, answer.json.rejected], `${name} ${answer.text}`).to.deep.equal([200, 0]);
      expect(new Set(outcomesOf(answer)), name).to.satisfy((set: Set<string>) =>
        [...set].every((one) => one === 'accepted' || one === 'duplicate'),
      );
    }
  });

  it('are duplicates when they are pushed again', async () => {
    for (const { name, document } of asOfOneRepository()) {
      if (isValid(document)) expect((await push(document)).json, name).to.include({ accepted: 0, rejected: 0 });
    }
  });

  it('are rejected with the reason if one value is invalid, as by the schema', async () => {
    const broken = samples().flatMap(({ name, document }): Sample[] => {
      const text = JSON.stringify(document);
      return [
        text.replace(/"eventTime":"[^"]+"/, '"eventTime":"2020-13-01"'),
        text.replace(/"action":"[A-Z]+"/, '"action":"WATCH"'),
        text.replace(/"bizStep":"[^"]+"/, '"bizStep":"urn:epcglobal:cbv:bizstep:receiving"'),
        text.replace('"type":"ObjectEvent"', '"type":"ObjectEvent","colour":"red"'),
      ]
        .filter((one) => one !== text)
        .map((one, index) => ({ name: `${name} ${index}`, document: JSON.parse(one) as unknown }));
    });
    expect(broken.length).to.be.greaterThan(100);
    for (const { name, document } of broken) {
      expect(isValid(document), name).to.equal(false);
      const { status, json } = await push(document, { 'GS1-Capture-Error-Behaviour': 'rollback' });
      expect([400, 422], name).to.include(status);
      const errors = [
        ...(json.errors ?? []),
        ...(json.events ?? []).flatMap((one: { errors?: unknown[] }) => one.errors ?? []),
      ] as { code: string; path: string; message: string }[];
      const reasons = errors.filter(({ code }) => code !== 'ROLLED_BACK');
      expect(reasons, name).to.not.be.empty;
      for (const { path, message } of reasons) expect(`${path} ${message}`, name).to.match(/^\/\S+ \S/);
    }
  });

  it('cause no network requests', async () => {
    const addresses = samples()
      .flatMap(({ document }) => [(document as { '@context'?: unknown })['@context']].flat())
      .filter((one) => typeof one === 'string');
    expect(addresses).to.not.be.empty;
    expect(watch.attempts).to.deep.equal([]);
    // Shows that the watch detects requests.
    await fetch('http://ref.gs1.invalid/').catch(() => undefined);
    expect(watch.attempts.join()).to.include('ref.gs1.invalid');
  });

  it('are exported as EPCIS that the schema accepts', async () => {
    const {
      service: { progress, engines },
    } = t;
    expect(await progress.waitFor('epcis_events', await engines.log.head(), WAIT_LIMIT_MS)).to.equal(true);
    let eventCount = 0;
    for (let query: string | undefined = '?perPage=20'; query !== undefined;) {
      const answer: Answer = await t.api(`/otep/epcis/events${query}`, { key: t.demo.provider.key });
      expect(isValid(answer.json), JSON.stringify(isValid.errors)).to.equal(true);
      eventCount += (answer.json.epcisBody.queryResults.resultsBody.eventList as unknown[]).length;
      const next = /^<(.+)>/.exec(answer.headers.get('link') ?? '')?.[1];
      query = next && new URL(next).search;
    }
    expect(eventCount).to.be.greaterThan(40);
  });
});
