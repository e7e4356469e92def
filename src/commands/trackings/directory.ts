/** Who pushes, and what is known of trackings before their streams are loaded. */
import type { SourceType } from '../../events/otep/model.js';
import type { Owner } from '../../events/trackings/events.js';

/** Who pushes. */
export interface Pusher {
  readonly id: string;
  readonly kind: SourceType;
  readonly mayOpen: boolean;
}

/**
 * What is known of a tracking before its stream is loaded; a directory may lag behind, the decider has the last word.
 */
export interface KnownTracking {
  readonly id: string;
  readonly owner: Owner;
  readonly number: string;
  readonly generation: number;
  readonly writers: readonly string[];
}

export interface TrackingDirectory {
  /** Trackings that an identifier names, of any owner. `fresh`: as of the end of the log at the time of the call. */
  find(identifier: string, options?: { readonly fresh: boolean }): Promise<readonly KnownTracking[]>;
}
