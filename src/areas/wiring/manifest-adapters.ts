/** The manifests of carriers as effects: with the account, its credentials, and the documents of the carrier. */
import type { OfManifest } from '../../api/areas/manifests/manifest-requests.js';
import type { AccountCall, Adapter, EffectResult, Outcome } from '../../engines/outside/adapter.js';
import type { CarrierCall, LabelFile, ManifestResult } from '../../engines/outside/carriers/port.js';
import type { CarrierAccountQueries } from '../../projections/carrier-accounts/queries.js';
import type { CarrierCalls } from './carrier-calls.js';
import type { ManifestFiles } from './manifest-files.js';

export interface ManifestAdapterOptions {
  readonly accounts: Pick<CarrierAccountQueries, 'byId'>;
  readonly calls: Pick<CarrierCalls, 'adapterOf' | 'callFor'>;
  readonly files: Pick<ManifestFiles, 'storeAll'>;
}

/** All documents of a carrier. */
export const documentsOf = ({ document, more_documents = [] }: ManifestResult): readonly LabelFile[] => [
  ...(document ? [document] : []),
  ...more_documents,
];

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

  /** A document whose download fails does not undo the manifest: the service downloads it again. */
  async function stored(
    outcome: Outcome<ManifestResult>,
    { business }: AccountCall,
    manifestId: number | undefined,
  ): Promise<Outcome<EffectResult>> {
    if (outcome.is !== 'done') return outcome;
    const { reference, refused } = outcome.result;
    const given = documentsOf(outcome.result);
    const documents = manifestId === undefined ? [] : await files.storeAll(given, { business, manifestId });
    const missing = given.length - documents.length;
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
        return stored(await effect.act(call, of.key, request.request, remoteId), of, request.manifestId);
      },
      // An earlier call may have been sent, so the result stays unknown.
      async look({ request, remoteId, ...of }) {
        const call = await callOf(of);
        if (!call) return UNKNOWN;
        return stored(await effect.look(call, of.key, request?.request, remoteId), of, request?.manifestId);
      },
    };
  };
}
