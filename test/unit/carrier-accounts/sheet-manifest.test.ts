/** Manifests of the adapter `sheet`: a printed list with all numbers, the same for each repetition. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { pagesOf } from '../../../src/engines/label-printing/write-manifest.js';
import { sheetManifest } from '../../../src/engines/outside/carriers/sheet/manifest.js';
import type { CarrierCall, ManifestRequest } from '../../../src/engines/outside/carriers/port.js';

const KEY = randomUUID();
const callOf = (carrier_name: string): CarrierCall => ({
  business: 2,
  accountId: 9,
  settings: { rate_card_id: 4, carrier_name },
  credentials: {},
  signal: new AbortController().signal,
});
const requestOf = (count: number): ManifestRequest => ({
  ship_date: '2027-05-06',
  from: undefined,
  labels: Array.from({ length: count }, (_, n) => ({
    remote_id: `key ${n}`,
    tracking_number: `00340123450000${String(n).padStart(4, '0')}`,
    weight_kg: 0.7,
  })),
});
async function printed(call: CarrierCall, request: ManifestRequest, key = KEY) {
  const outcome = await sheetManifest.act(call, key, request, undefined);
  if (outcome.is !== 'done') throw new Error(JSON.stringify(outcome));
  const { document } = outcome.result;
  if (!document || !('bytes' in document)) throw new Error('The manifest has no document.');
  return { ...outcome.result, bytes: Buffer.from(document.bytes) };
}
/** The texts of a PDF that is not compressed: each is an array of hexadecimal strings and distances. */
const textsOf = (bytes: Buffer): string[] =>
  [...bytes.toString('latin1').matchAll(/\[([^\]]*)\] TJ/g)].map(([, parts]) =>
    [...parts!.matchAll(/<([0-9a-f]*)>/g)].map(([, hex]) => Buffer.from(hex!, 'hex').toString('latin1')).join(''),
  );

describe('manifests of the adapter sheet', () => {
  it('name each parcel once, with the reference, the sum of the weights, and the pages', async () => {
    const request = requestOf(130);
    const { bytes, reference, refused } = await printed(callOf('Demo Vans'), request);
    expect(refused).to.deep.equal([]);
    expect(reference).to.match(/^[0-9A-F]{12}$/);
    const texts = textsOf(bytes);
    for (const { tracking_number } of request.labels)
      expect(texts.filter((one) => one === tracking_number)).to.have.length(1);
    const pages = pagesOf(130);
    expect(pages).to.equal(3);
    expect(texts.filter((one) => one.startsWith(`Reference ${reference}`))).to.have.length(pages);
    expect(texts.join('\n')).to.include('130 parcels').and.to.include('91 kg').and.to.include(`Page 3 of ${pages}`);
  });

  it('are the same for each repetition, and differ for another call', async () => {
    const one = await printed(callOf('Demo Vans'), requestOf(3));
    const looked = await sheetManifest.look(callOf('Demo Vans'), KEY, requestOf(3), undefined);
    expect(looked).to.deep.equal(await sheetManifest.act(callOf('Demo Vans'), KEY, requestOf(3), undefined));
    const other = await printed(callOf('Demo Vans'), requestOf(3), randomUUID());
    expect(other.reference).to.not.equal(one.reference);
    expect(other.bytes.equals(one.bytes)).to.equal(false);
  });

  it('print names in other scripts, and refuse names without a font', async () => {
    for (const name of ['顺丰速运', 'Ван\u200bс'])
      expect((await printed(callOf(name), requestOf(1))).bytes.length).to.be.greaterThan(1_000);
    expect(await sheetManifest.act(callOf('أحمد'), KEY, requestOf(1), undefined)).to.deep.equal({
      is: 'not_done',
      code: 'NOT_PRINTABLE',
      final: true,
    });
  });

  it('have an unknown result without the request', async () => {
    expect(await sheetManifest.look(callOf('Demo Vans'), KEY, undefined, undefined)).to.include({ is: 'unknown' });
  });
});
