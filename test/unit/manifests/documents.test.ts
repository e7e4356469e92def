/** Documents of carriers that cannot be downloaded when the manifest is closed, and orders that a job submits. */
import { expect } from 'chai';
import { manifests, type ManifestCommand } from '../../../src/commands/manifests/decider.js';
import type { CarrierAdapter, ManifestResult } from '../../../src/engines/outside/carriers/port.js';
import type { NewFile } from '../../../src/engines/files/files.js';
import { createManifestAdapter } from '../../../src/areas/wiring/manifest-adapters.js';
import { createManifestFiles } from '../../../src/areas/wiring/manifest-files.js';
import { createMissingDocuments } from '../../../src/areas/wiring/missing-documents.js';
import { LABEL_MANIFEST } from '../../../src/events/manifests/effects.js';
import { manifestStream } from '../../../src/events/manifests/events.js';
import { given } from '../../support/checks/given.js';

const URLS = ['https://carrier.example/one', 'https://carrier.example/two'] as const;
const RESULT: ManifestResult = {
  reference: 'SF 1 SF 2',
  document: { format: 'pdf', url: URLS[0] },
  more_documents: [{ format: 'pdf', url: URLS[1] }],
  refused: [{ remote_id: 'shp_2', code: 'REFUNDED', text: 'Ada Lovelace' }],
};
const PDF = Buffer.from('%PDF-1.7 list');

describe('documents of manifests', () => {
  let stored: NewFile[];
  let contents: Map<string, Buffer>;
  beforeEach(() => {
    stored = [];
    contents = new Map([[URLS[0], PDF]]);
  });

  const files = createManifestFiles({
    files: { put: (file) => Promise.resolve(void stored.push(file)), use: () => Promise.resolve() },
    download: (url) => Promise.resolve(contents.has(url) ? { bytes: contents.get(url)! } : undefined),
  });
  const outcome = { is: 'done' as const, result: RESULT };
  const carrier = { dedupe: 'key', act: () => Promise.resolve(outcome), look: () => Promise.resolve(outcome) } as const;
  const shared = {
    accounts: { byId: () => Promise.resolve({ id: 4, adapter: 'double' } as never) },
    calls: {
      adapterOf: () => ({ manifest: carrier }) as unknown as CarrierAdapter,
      callFor: () => Promise.resolve({} as never),
      ask: <R>(_account: unknown, work: () => Promise<R>) => work(),
    },
    files,
  };
  const act = async () => {
    const request = { manifestId: 31, request: { ship_date: '2027-01-02', from: undefined, labels: [] } };
    const call = { business: 8, account: '4', key: 'key', signal: new AbortController().signal };
    const done = await createManifestAdapter(shared)('double')!.act({ ...call, request, remoteId: undefined });
    if (done.is !== 'done') throw new Error(JSON.stringify(done));
    return LABEL_MANIFEST.result.parse(done.result);
  };

  it('are stored under the key of the manifest, and a missing one does not undo it', async () => {
    expect(await act()).to.deep.include({ reference: 'SF 1 SF 2', missing_documents: 1 });
    expect(
      stored.map(({ business, subject, purpose, mediaType }) => [business, subject, purpose, mediaType]),
    ).to.deep.equal([[8, manifestStream(31), 'issued', 'application/pdf']]);
    contents.set(URLS[1], PDF);
    expect(await act()).to.not.have.property('missing_documents');
  });

  it('are no other content than the format', async () => {
    for (const content of [Buffer.from('<html>'), Buffer.alloc(0), Buffer.concat([PDF, Buffer.alloc(10_485_761)])]) {
      contents.set(URLS[0], content);
      expect(await act()).to.deep.include({ missing_documents: 2, documents: [] });
    }
  });

  it('do not have texts of the carrier, which may name persons', async () => {
    expect(JSON.stringify(await act()))
      .to.include('REFUNDED')
      .and.to.not.include('Ada');
  });

  it('are downloaded again together, until none is missing', async () => {
    const opened: ManifestCommand = {
      do: 'open',
      manifest: {
        manifest_id: 31,
        business: 8,
        account_id: 4,
        adapter: 'double',
        ship_date: '2027-01-02',
        order_ids: [1],
      },
    };
    const label = { order_id: 1, package_id: '1', remote_id: 'shp_1', tracking_number: 'T1' };
    const begun = given(manifests, opened, { do: 'list', labels: [label], digest: '' });
    const { kind } = LABEL_MANIFEST;
    const effectId = (begun.past.at(-1)!.data as { readonly effect_id: string }).effect_id;
    const result = { reference: 'SF 1 SF 2', documents: [], missing_documents: 2, refused: [] };
    const closed: ManifestCommand = { do: 'effect', kind, effectId, record: { step: 'done', result } };
    const state = begun
      .when(closed)
      .then.past.reduce(
        (now, { type, id, data }) => manifests.evolve(now, { type: type.type, id, data: data as never }),
        manifests.initial(),
      );
    const commands: ManifestCommand[] = [];
    const again = createMissingDocuments({
      ...shared,
      read: () => Promise.resolve({ state, past: [] }),
      handle: (_stream, command) => {
        commands.push(command);
        return Promise.resolve({ reply: undefined as never, changed: true, position: undefined });
      },
    });
    await again(31);
    expect(commands).to.deep.equal([]);
    contents.set(URLS[1], PDF);
    await again(31);
    expect(commands.map((one) => (one.do === 'store_documents' ? one.documents.length : one.do))).to.deep.equal([2]);
  });
});
