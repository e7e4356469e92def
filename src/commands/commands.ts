/** The handlers of all areas over one log. */
import type { EventTypes, KeyRing } from '../events/codec.js';
import type { EventLog } from '../events/log.js';
import { captures, type CaptureCommand } from './captures.js';
import { createHandler, type Handle } from './handle.js';
import { createIngest, type Ingest } from './ingest.js';
import type { TrackingDirectory } from './targets.js';
import { providers, type ProviderCommand } from './providers.js';
import { trackings, type Outcome, type TrackingCommand } from './trackings.js';

export interface CommandOptions {
  readonly log: EventLog;
  readonly types: EventTypes;
  readonly keyRing: KeyRing;
  readonly now: () => number;
  readonly traceparent?: () => string | undefined;
  readonly directory: TrackingDirectory;
}

export interface Commands {
  readonly trackings: Handle<TrackingCommand, readonly Outcome[]>;
  readonly providers: Handle<ProviderCommand, undefined>;
  readonly ingest: Ingest;
  readonly captures: Handle<CaptureCommand, undefined>;
}

export function createCommands({ directory, ...options }: CommandOptions): Commands {
  const handleTracking = createHandler({ decider: trackings, ...options });
  return {
    trackings: handleTracking,
    providers: createHandler({ decider: providers, ...options }),
    ingest: createIngest({ handle: handleTracking, directory }),
    captures: createHandler({ decider: captures, ...options }),
  };
}
