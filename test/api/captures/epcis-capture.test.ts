/** Capture jobs as in the EPCIS REST bindings. */
import { expect } from 'chai';
import { documentOf, newParcel, scan } from '../../support/inputs/epcis-documents.js';
import type { CallOptions } from '../../support/clients/http.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('EPCIS: capture jobs', () => {
  let t: TestService;
  before(async () => void (t = await startTestService()));
  after(() => t.stop());

  const capture = (document: unknown, options: CallOptions = {}) =>
    t.api('/otep/epcis/capture', { key: t.demo.provider.key, body: document, ...options });
  const poll = (location: string, key = t.demo.provider.key) => t.api(location.replace('/api/v1', ''), { key });
  const wrong = (urn: string) => scan([urn], 'delivering', 9);

  it('are accepted with an address to poll, and end', async () => {
    const parcel = newParcel();
    const answer = await capture(documentOf(scan([parcel.urn], 'departing', 8), scan([parcel.urn], 'arriving', 9)));
    expect(answer.status).to.equal(202);
    expect(answer.headers.get('location')).to.equal(`/api/v1/otep/epcis/capture/${answer.json.captureID}`);
    const job = await poll(answer.headers.get('location')!);
    expect(job.json).to.deep.include({
      captureID: answer.json.captureID,
      running: false,
      success: true,
      captureErrorBehaviour: 'rollback',
      errors: [],
    });
    expect(job.json).to.have.all.keys(
      'captureID',
      'createdAt',
      'finishedAt',
      'running',
      'success',
      'captureErrorBehaviour',
      'errors',
    );
    expect(job.headers.get('gs1-epcis-version')).to.equal('2.0');
    expect((await t.read(parcel.sscc, answer)).json.events).to.have.length(2);
  });

  it('capture nothing if one event is rejected, and return the reason', async () => {
    const parcel = newParcel();
    const answer = await capture(documentOf(scan([parcel.urn], 'departing', 8), wrong(parcel.urn)));
    expect(answer.status).to.equal(202);
    const { json } = await poll(answer.headers.get('location')!);
    expect(json).to.deep.include({ running: false, success: false, captureErrorBehaviour: 'rollback' });
    expect(json.errors.map(({ code, path, type }: Record<string, string>) => [code, path, type])).to.deep.equal([
      ['ROLLED_BACK', '', 'epcisException:ValidationException'],
      ['NOT_A_WORD', '/epcisBody/eventList/1/bizStep', 'epcisException:ValidationException'],
    ]);
    expect((await t.read(parcel.sscc, answer)).status).to.equal(404);
  });

  it('capture the valid events with the behaviour proceed', async () => {
    const parcel = newParcel();
    const answer = await capture(documentOf(scan([parcel.urn], 'departing', 8), wrong(parcel.urn)), {
      headers: { 'GS1-Capture-Error-Behaviour': 'proceed' },
    });
    const { json } = await poll(answer.headers.get('location')!);
    expect(json).to.deep.include({ running: false, success: false, captureErrorBehaviour: 'proceed' });
    expect(json.errors).to.have.length(1);
    expect((await t.read(parcel.sscc, answer)).json.events).to.have.length(1);
  });

  it('are also created without new or permitted events', async () => {
    const document = documentOf(scan([newParcel().urn], 'departing', 8));
    await capture(document);
    expect((await poll((await capture(document)).headers.get('location')!)).json).to.include({ success: true });
    const strict = t.demo.strict_provider.key;
    const { json } = await poll(
      (await capture(documentOf(scan([newParcel().urn], 'departing', 8)), { key: strict })).headers.get('location')!,
      strict,
    );
    expect(json).to.deep.include({ success: false });
    expect(json.errors[0]).to.include({
      type: 'epcisException:SecurityException',
      status: 403,
      code: 'UNKNOWN_SHIPMENT',
    });
  });

  it('are the same job for a retry with its key', async () => {
    const document = documentOf(scan([newParcel().urn], 'departing', 8));
    const headers = { 'idempotency-key': `c-${process.pid}-${Date.now()}` };
    const [first, again] = [await capture(document, { headers }), await capture(document, { headers })];
    expect([again.status, again.headers.get('location')]).to.deep.equal([202, first.headers.get('location')]);
    expect(again.headers.get('location')).to.match(/^\/api/);
  });

  it('are visible only to their creator', async () => {
    const location = (await capture(documentOf(scan([newParcel().urn], 'departing', 8)))).headers.get('location')!;
    expect((await poll(location, t.demo.strict_provider.key)).status).to.equal(404);
    expect((await poll('/otep/epcis/capture/00000000-0000-4000-8000-000000000000')).status).to.equal(404);
    expect((await poll('/otep/epcis/capture/latest')).status).to.equal(404);
    expect((await t.api(location.replace('/api/v1', ''))).status).to.equal(401);
  });

  it('are rejected at once for an invalid document', async () => {
    const answer = await capture({ type: 'EPCISDocument' });
    expect([answer.status, answer.json.code]).to.deep.equal([400, 'INVALID_EPCIS']);
  });

  it('return their limits for OPTIONS', async () => {
    const { status, headers } = await t.api('/otep/epcis/capture', { method: 'OPTIONS' });
    expect(status).to.equal(204);
    expect(headers.get('allow')).to.equal('POST, OPTIONS');
    expect(headers.get('gs1-epcis-capture-limit')).to.equal('500');
    expect(headers.get('gs1-epcis-capture-file-size-limit')).to.equal(String(1024 * 1024));
    expect(headers.get('gs1-capture-error-behaviour')).to.equal('rollback');
    expect(
      (await t.api('/otep/ingest/epcis', { method: 'OPTIONS' })).headers.get('gs1-capture-error-behaviour'),
    ).to.equal('proceed');
    expect((await t.api('/otep/formats', { method: 'OPTIONS' })).headers.get('allow')).to.equal('GET, HEAD, OPTIONS');
  });
});
