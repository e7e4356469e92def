/** The manifests of carriers as effects: with the account, its credentials, and the documents of the carrier. */
import type { OfManifest } from '../../api/areas/manifests/manifest-requests.js';
import type { AccountCall, Adapter, EffectResult, Outcome } from '../../engines/outside/adapter.js';
import type { CarrierCall, LabelFile, ManifestResult } from '../../engines/outside/carriers/port.js';
import type { StoredManifestFile } from '../../events/manifests/effects.js';
import type { CarrierAccountQueries } from '../../projections/carrier-accounts/queries.js';
import type { CarrierCalls } from './carrier-calls.js';
import type { ManifestFiles } from './manifest-files.js';

export interface ManifestAdapterOptions {
  readonly accounts: Pick<CarrierAccountQueries, 'byId'>;
  readonly calls: Pick<CarrierCalls, 'adapterOf' | 'callFor'>;
  readonly files: Pick<ManifestFiles, 'store'>;
}

/** The account cannot be called: nothing is sent. */
const NO_CREDENTIALS = { is: 'not_done', code: 'CREDENTIALS_MISSING', final: true } as const;
const UNKNOWN = { is: 'unknown', cause: 'no_credentials' } as const;

/** Undefined: the adapter is missing, or has no manifests. */
export function createManifestAdapter({ accounts, calls, files }: ManifestAdapterOptions) {
  /** Undefined: the account was removed, or its credentials cannot be opened. */
  async function callOf({ account, business, signal }: AccountCall): Promise<CarrierCall | undefined> {
    const row = await accounts.byId(Number(account), business);
    return row && calls.callFor(row, signal);
  }

  /**
   * Stores the documents. If a download fails, the result of the first call is unknown, so that it is repeated soon. A
   * look then accepts that a document is missing: the carrier has the labels.
   */
  async function stored(
    outcome: Outcome<ManifestResult>,
    { business }: AccountCall,
    manifestId: number | undefined,
    isLook: boolean,
  ): Promise<Outcome<EffectResult>> {
    if (outcome.is !== 'done') return outcome;
    const { reference, document, more_documents = [], refused } = outcome.result;
    const given: readonly LabelFile[] = [...(document ? [document] : []), ...more_documents];
    const documents: StoredManifestFile[] = [];
    for (const file of given) {
      const one = manifestId === undefined ? undefined : await files.store(file, { business, manifestId });
      if (one) documents.push(one);
    }
    const missing = given.length - documents.length;
    if (missing > 0 && !isLook) return { is: 'unknown', cause: 'no_document' };
    const result = {
      reference,
      documents,
      ...(missing > 0 && { missing_documents: missing }),
      // The text of the carrier may name persons.
      refused: refused.map(({ remote_id, code }) => ({ remote_id, code })),
    };
    return { is: 'done', result };
  }

  return (name: string): Adapter<OfManifest> | undefined => {
    const effect = calls.adapterOf(name)?.manifest;
    if (!effect) return undefined;
    return {
      name,
      dedupe: effect.dedupe,
      ...(effect.reserve && {
        async reserve({ request, ...of }) {
          const call = await callOf(of);
          return call ? effect.reserve!(call, of.key, request.request) : NO_CREDENTIALS;
        },
      }),
      async act({ request, remoteId, ...of }) {
        const call = await callOf(of);
        if (!call) return NO_CREDENTIALS;
        return stored(await effect.act(call, of.key, request.request, remoteId), of, request.manifestId, false);
      },
      // An earlier call may have been sent, so the result stays unknown.
      async look({ request, remoteId, ...of }) {
        const call = await callOf(of);
        if (!call) return UNKNOWN;
        return stored(await effect.look(call, of.key, request?.request, remoteId), of, request?.manifestId, true);
      },
    };
  };
}
