/** Downloads the documents of manifests that could not be downloaded when they were closed. A repetition changes nothing. */
import type { Handle } from '../../commands/core/handle.js';
import type { ManifestCommand, ManifestReply } from '../../commands/manifests/command.js';
import type { ManifestReader } from '../../commands/manifests/reader.js';
import { manifestRequestOf } from '../../api/areas/manifests/manifest-requests.js';
import { isDocumentMissing } from '../../events/manifests/manifest.js';
import { manifestStream } from '../../events/manifests/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { CarrierAccountQueries } from '../../projections/carrier-accounts/queries.js';
import type { CarrierCalls } from './carrier-calls.js';
import { documentsOf } from './manifest-adapters.js';
import type { ManifestFiles } from './manifest-files.js';

export interface MissingDocumentsOptions {
  readonly accounts: Pick<CarrierAccountQueries, 'byId'>;
  readonly calls: Pick<CarrierCalls, 'adapterOf' | 'ask' | 'callFor'>;
  readonly files: Pick<ManifestFiles, 'storeAll'>;
  readonly read: ManifestReader;
  readonly handle: Handle<ManifestCommand, ManifestReply>;
}

/** Timeout of the call to the carrier, in milliseconds. */
const CALL_MS = 30_000;

/** Downloads the documents of a manifest again. If one is still missing, nothing changes. */
export type DownloadDocuments = (manifestId: number) => Promise<void>;

export function createMissingDocuments(options: MissingDocumentsOptions): DownloadDocuments {
  const { accounts, calls, files, read, handle } = options;
  return async (manifestId) => {
    const stream = manifestStream(manifestId);
    const { manifest, effects } = (await read(stream)).state;
    const [effect] = [...effects.values()];
    if (!manifest || !effect || !isDocumentMissing(manifest)) return;
    const { business, account_id, adapter: name, labels = [] } = manifest;
    const carrier = calls.adapterOf(name)?.manifest;
    const account = await accounts.byId(account_id, business);
    if (!carrier || !account) return;
    const outcome = await calls.ask(account, async () => {
      const call = await calls.callFor(account, AbortSignal.timeout(CALL_MS));
      if (!call) return { is: 'not_done', code: 'CREDENTIALS_MISSING', final: false };
      return carrier.look(call, effect.effectId, manifestRequestOf(manifest, labels).request, effect.remoteId);
    });
    if (outcome.is !== 'done') return;
    const given = documentsOf(outcome.result);
    const documents = await files.storeAll(given, { business, manifestId });
    if (documents.length < given.length) return;
    await handle(stream, { do: 'store_documents', documents }, causeOf(manifestId, business));
  };
}

const causeOf = (manifestId: number, business: number) => ({
  correlationId: derivedId('manifest downloads', manifestId),
  actor: { kind: 'system' as const, id: 'manifests' },
  channel: 'system' as const,
  business: String(business),
});
