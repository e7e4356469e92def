/**
 * A manifest after its events. The decider and the read model share it, so it contains only JSON values, and an event
 * never changes the given manifest.
 */
import type { JsonObject } from '../core/log.js';
import { stepOf, type EffectStep } from '../effects/progress.js';
import type { RefusedData } from '../effects/steps.js';
import { MANIFEST_EFFECTS, type ManifestResult } from './effects.js';
import {
  ManifestAbandoned,
  ManifestDocumentsStored,
  ManifestLabelsListed,
  ManifestOpened,
  type ManifestLabel,
  type NewManifest,
} from './events.js';

export interface Manifest extends NewManifest {
  /** Absent: the labels are still joining. */
  readonly labels?: readonly ManifestLabel[];
  readonly is_abandoned?: true;
  /** The last step of the call to the carrier. `code`: why the carrier refused the whole manifest. */
  readonly call?: { readonly step: EffectStep; readonly code?: string };
  readonly result?: ManifestResult;
}

/**
 * `opening`: labels are joining. `submitting`: the carrier is asked. `unknown`: the result is unknown, and staff must
 * settle it. `failed`: the carrier has refused all labels. `empty`: no label could join.
 */
export const MANIFEST_STATUSES = ['opening', 'submitting', 'unknown', 'closed', 'failed', 'empty'] as const;
export type ManifestStatus = (typeof MANIFEST_STATUSES)[number];

/** The manifest after an event. Undefined: the stream has no manifest. */
export function evolveManifest(
  manifest: Manifest | undefined,
  { type, data }: { readonly type: string; readonly data: JsonObject },
): Manifest | undefined {
  if (type === ManifestOpened.type) return data as unknown as NewManifest;
  if (!manifest) return undefined;
  if (type === ManifestLabelsListed.type) return { ...manifest, labels: data['labels'] as unknown as ManifestLabel[] };
  if (type === ManifestAbandoned.type) return { ...manifest, is_abandoned: true };
  if (type === ManifestDocumentsStored.type) return withDocuments(manifest, data['documents'] as unknown as Documents);
  const step = stepOf(MANIFEST_EFFECTS, type)?.step;
  if (step === undefined) return manifest;
  if (step === 'refused') return { ...manifest, call: { step, code: (data as unknown as RefusedData).code } };
  const result = step === 'done' ? { result: data['result'] as unknown as ManifestResult } : {};
  return { ...manifest, call: { step }, ...result };
}

type Documents = NonNullable<ManifestResult['documents']>;

function withDocuments(manifest: Manifest, documents: Documents): Manifest {
  if (!manifest.result) return manifest;
  const { missing_documents: _missing, ...result } = manifest.result;
  return { ...manifest, result: { ...result, documents } };
}

export const isDocumentMissing = ({ result }: Manifest): boolean => (result?.missing_documents ?? 0) > 0;

export function manifestStatusOf({ labels, is_abandoned, call }: Manifest): ManifestStatus {
  if (is_abandoned) return 'empty';
  if (!labels || !call) return 'opening';
  if (call.step === 'done') return 'closed';
  if (call.step === 'refused') return 'failed';
  return call.step === 'left_open' ? 'unknown' : 'submitting';
}

/** The labels that the carrier refused in a closed manifest, with the code of the carrier. */
export function refusedLabels({
  labels = [],
  result,
}: Manifest): readonly (ManifestLabel & { readonly code: string })[] {
  const codes = new Map(result?.refused.map(({ remote_id, code }) => [remote_id, code]));
  return labels.flatMap((label) => {
    const code = codes.get(label.remote_id);
    return code === undefined ? [] : [{ ...label, code }];
  });
}

/** The ids of orders with these labels, each once. */
export const ordersOf = (labels: readonly ManifestLabel[]): readonly number[] => [
  ...new Set(labels.map(({ order_id }) => order_id)),
];
