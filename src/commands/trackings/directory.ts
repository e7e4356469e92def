/** The provider that pushes, and the data of trackings that is known before their streams are loaded. */
import type { SourceType } from '../../events/otep/model.js';
import type { Owner } from '../../events/trackings/events.js';

/** The provider that pushes events. */
export interface Pusher {
  readonly id: string;
  readonly kind: SourceType;
  readonly mayOpen: boolean;
}

/**
 * Data of a tracking before its stream is loaded. A directory may be out of date; the decider checks the actual stream.
 */
export interface KnownTracking {
  readonly id: string;
  readonly owner: Owner;
  readonly number: string;
  readonly generation: number;
  readonly writers: readonly string[];
  /** Providers that had access before. They may still report what happened until then. */
  readonly former_writers: readonly string[];
}

export interface TrackingDirectory {
  /**
   * Trackings with this identifier, of any owner. `fresh`: includes all events that the log contains at the time of the
   * call.
   */
  find(identifier: string, options?: { readonly fresh: boolean }): Promise<readonly KnownTracking[]>;
}
