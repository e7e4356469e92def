/** Rules of manifests: labels are listed once, in the append that begins the call to the carrier. */
import { expect } from 'chai';
import { manifests, type ManifestCommand } from '../../../src/commands/manifests/decider.js';
import { effectIdFor } from '../../../src/events/effects/effect-id.js';
import type { EffectRecord } from '../../../src/events/effects/records.js';
import { LABEL_MANIFEST, WHOLE_MANIFEST } from '../../../src/events/manifests/effects.js';
import { manifestStream, type ManifestLabel } from '../../../src/events/manifests/events.js';
import {
  isDocumentMissing,
  manifestStatusOf,
  ordersOf,
  refusedLabels,
} from '../../../src/events/manifests/manifest.js';
import { given } from '../../support/checks/given.js';

const ID = 12;
const opened = (more: object = {}): ManifestCommand => ({
  do: 'open',
  manifest: {
    manifest_id: ID,
    business: 3,
    account_id: 8,
    adapter: 'double',
    ship_date: '2027-04-02',
    order_ids: [21, 22, 23],
    opened_by: 5,
    ...more,
  },
});
const label = (order_id: number, package_id = '1'): ManifestLabel => ({
  order_id,
  package_id,
  remote_id: `shp_${order_id}_${package_id}`,
  tracking_number: `T${order_id}${package_id}`,
});
const listed = (...labels: readonly ManifestLabel[]): ManifestCommand => ({ do: 'list', labels, digest: 'digest' });
const effectId = effectIdFor({
  stream: manifestStream(ID),
  kind: LABEL_MANIFEST.kind,
  about: WHOLE_MANIFEST,
  attempt: 1,
});
const step = (record: EffectRecord): ManifestCommand => ({ do: 'effect', kind: LABEL_MANIFEST.kind, effectId, record });
const FILE = { file_id: '6f9619ff-8b86-4011-b42d-00c04fc964ff', media_type: 'application/pdf', bytes: 7 };
const closed = (more: object = {}): ManifestCommand =>
  step({ step: 'done', result: { reference: 'SF 7', documents: [FILE], refused: [], ...more } });

const past = (...commands: readonly ManifestCommand[]) => given(manifests, ...commands);
const typesAfter = (commands: readonly ManifestCommand[], next: ManifestCommand): readonly string[] =>
  past(...commands).when(next).types;
const after = (...commands: readonly ManifestCommand[]) =>
  past(...commands.slice(0, -1)).when(commands.at(-1)!).reply.manifest!;

describe('manifests', () => {
  it('list the labels that have joined, and begin the call in the same append', () => {
    expect(typesAfter([], opened())).to.deep.equal(['ManifestOpened']);
    expect(typesAfter([opened()], listed(label(21), label(23)))).to.deep.equal([
      'ManifestLabelsListed',
      'ManifestBegun',
    ]);
    const manifest = after(opened(), listed(label(21), label(23), label(23, '2')));
    expect([manifestStatusOf(manifest), ordersOf(manifest.labels!)]).to.deep.equal(['submitting', [21, 23]]);
  });

  it('list labels once: a slower process changes nothing', () => {
    const begun = [opened(), listed(label(21))];
    expect(typesAfter(begun, listed(label(21), label(22)))).to.deep.equal([]);
    expect(after(...begun, listed(label(22))).labels).to.deep.equal([label(21)]);
    expect(typesAfter(begun, opened({ order_ids: [22] }))).to.deep.equal([]);
  });

  it('list only orders that they were opened for', () => {
    expect(after(opened(), listed(label(22), label(99))).labels).to.deep.equal([label(22)]);
  });

  it('are abandoned without labels, and send nothing', () => {
    expect(typesAfter([opened()], listed())).to.deep.equal(['ManifestAbandoned']);
    expect(manifestStatusOf(after(opened(), listed()))).to.equal('empty');
    expect(typesAfter([opened(), listed()], listed(label(21)))).to.deep.equal([]);
  });

  it('are closed with the labels that the carrier refused', () => {
    const two = { ...label(22, '2'), remote_id: 'shp_22_1' };
    const refused = [{ remote_id: 'shp_22_1', code: 'REFUNDED' }];
    const manifest = after(opened(), listed(label(21), label(22), two), closed({ refused }));
    expect(manifestStatusOf(manifest)).to.equal('closed');
    expect(refusedLabels(manifest).map(({ order_id, package_id, code }) => [order_id, package_id, code])).to.deep.equal(
      [
        [22, '1', 'REFUNDED'],
        [22, '2', 'REFUNDED'],
      ],
    );
  });

  it('fail once, and keep the code of the carrier', () => {
    const failing = [opened(), listed(label(21)), step({ step: 'refused', code: 'CLOSED', text: 'Ada', final: true })];
    const manifest = after(...failing);
    expect([manifestStatusOf(manifest), manifest.call]).to.deep.equal(['failed', { step: 'refused', code: 'CLOSED' }]);
    expect(typesAfter(failing, closed())).to.deep.equal([]);
    expect(typesAfter(failing, listed(label(22)))).to.deep.equal([]);
  });

  it('have an unknown result until staff settle it', () => {
    const open = [opened(), listed(label(21)), step({ step: 'left_open', cause: 'timeout' })];
    expect(manifestStatusOf(after(...open))).to.equal('unknown');
    const settled = { by: 4, evidence: 'Seen' };
    const done = step({ step: 'done', result: { reference: 'X', documents: [], refused: [] }, settled });
    expect(manifestStatusOf(after(...open, done))).to.equal('closed');
  });

  it('store documents that were missing, once', () => {
    const begun = [opened(), listed(label(21))];
    const store: ManifestCommand = { do: 'store_documents', documents: [FILE] };
    expect(typesAfter([...begun, closed()], store)).to.deep.equal([]);
    const missing = [...begun, closed({ documents: [], missing_documents: 1 })];
    expect(isDocumentMissing(after(...missing))).to.equal(true);
    expect(typesAfter(missing, store)).to.deep.equal(['ManifestDocumentsStored']);
    const manifest = after(...missing, store);
    expect([isDocumentMissing(manifest), manifest.result!.documents]).to.deep.equal([false, [FILE]]);
    expect(typesAfter([...missing, store], store)).to.deep.equal([]);
  });

  it('belong to one business', () => {
    expect(past(opened()).refusal(opened({ business: 4 }))).to.equal('CONFLICT');
    expect(past().refusal(listed(label(21)))).to.equal('MANIFEST_NOT_FOUND');
  });
});
