/** Commands to a manifest. */
import type { EffectProgress } from '../../events/effects/progress.js';
import type { EffectCommand, EffectReply } from '../../events/effects/records.js';
import type { StoredManifestFile } from '../../events/manifests/effects.js';
import type { ManifestLabel, NewManifest } from '../../events/manifests/events.js';
import type { Manifest } from '../../events/manifests/manifest.js';

/** Begins an end of the day for these label orders. A repetition changes nothing. */
export interface OpenManifest {
  readonly do: 'open';
  readonly manifest: NewManifest;
}

/**
 * Ends the joining: the labels that have joined are sent to the carrier. Without labels, the manifest is abandoned.
 * `digest`: keyed, of the request. A repetition changes nothing.
 */
export interface ListLabels {
  readonly do: 'list';
  readonly labels: readonly ManifestLabel[];
  readonly digest: string;
}

/** All documents of a closed manifest, some of which were missing. A repetition changes nothing. */
export interface StoreDocuments {
  readonly do: 'store_documents';
  readonly documents: readonly StoredManifestFile[];
}

export type ManifestCommand = OpenManifest | ListLabels | StoreDocuments | EffectCommand;

/** The manifest after the command. `effect`: of a command that records a step of an effect. */
export interface ManifestReply extends EffectReply {
  readonly manifest: Manifest | undefined;
  /** The call to the carrier; undefined: it has not begun. */
  readonly call: EffectProgress | undefined;
}
