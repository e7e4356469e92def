/** A request to capture a document, and the result of its validation. */
import type { Behaviour } from '../../events/captures/events.js';
import type { Position } from '../../events/core/log.js';
import type { Targets } from '../trackings/targets.js';
import type { CaptureOutcome, Group, ReadEvent } from './outcomes.js';

export interface CaptureRequest {
  /** UUID; a retry of the request sends the same UUID. */
  readonly id: string;
  readonly document: unknown;
  readonly behaviour: Behaviour;
  /** Milliseconds since 1970; a retry has the same value. */
  readonly time: number;
}

export interface Captured {
  /** One outcome per event of the document, in its order. */
  readonly outcomes: readonly CaptureOutcome[];
  readonly position: Position | undefined;
}

/** The steps that follow from the validation of a document. */
export interface Plan {
  readonly events: readonly ReadEvent[];
  readonly groups: readonly Group[];
  readonly targets: readonly (Targets | undefined)[];
  readonly seen: ReadonlySet<string>;
}
