/** The state of a manifest for its decider. */
import { MANIFEST_EFFECTS } from '../../events/manifests/effects.js';
import { evolveManifest, type Manifest } from '../../events/manifests/manifest.js';
import type { PastEvent } from '../core/decider.js';
import { noteEffect, type EffectBook } from '../effects/book.js';

export interface ManifestState {
  /** Undefined: the manifest does not exist. */
  readonly manifest: Manifest | undefined;
  readonly effects: EffectBook;
}

export const initial = (): ManifestState => ({ manifest: undefined, effects: new Map() });

export const evolve = ({ manifest, effects }: ManifestState, event: PastEvent): ManifestState => ({
  manifest: evolveManifest(manifest, event),
  effects: noteEffect(MANIFEST_EFFECTS, effects, event),
});
