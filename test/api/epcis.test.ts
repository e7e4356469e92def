/** Pushing EPCIS over HTTP. */
import { expect } from 'chai';
import { startTestService, type TestService } from '../support/service.js';

describe('POST /otep/ingest/epcis', () => {
  let service: TestService;
  before(async () => { service = await startTestService(); });
  after(() => service?.stop());
  it('works', async () => {
    const document = { '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'], type: 'EPCISDocument', schemaVersion: '2.0', creationDate: '2026-03-01T12:00:00Z',
      epcisBody: { eventList: [{ type: 'ObjectEvent', eventTime: '2026-03-01T10:00:00+01:00', eventTimeZoneOffset: '+01:00', action: 'OBSERVE', bizStep: 'accepting', epcList: ['urn:epc:id:sscc:4012345.0111111111'] }] } };
    for (let i = 0; i < 2; i++) {
      const answer = await service.api('/otep/ingest/epcis', { key: service.demo.provider.key, body: document });
      console.log(answer.status, answer.text, Object.fromEntries(answer.headers));
    }
    const job = await service.api('/otep/epcis/capture', { key: service.demo.provider.key, body: document });
    console.log(job.status, job.text, job.headers.get('location'));
    console.log((await service.api('/otep/epcis/capture/' + job.json.captureID, { key: service.demo.provider.key })).text);
    const opt = await service.api('/otep/epcis/capture', { method: 'OPTIONS' });
    console.log(opt.status, Object.fromEntries(opt.headers));
    const read = await service.read('040123451111111115', job, { key: service.demo.provider.key });
    console.log(read.text);
    expect(1).to.equal(1);
  });
});
