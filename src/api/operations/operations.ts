/** All operations of the service, in the order of the documents. */
import type { Capture } from '../../commands/capture.js';
import type { Commands } from '../../commands/commands.js';
import type { Format } from '../../serializers/format.js';
import type { FieldError } from '../errors.js';
import { chooseLanguage } from '../messages/index.js';
import type { TimelineReader } from '../otep/timelines.js';
import { localizeField } from '../rest/problem.js';
import type { CaptureQueries } from '../../projections/capture-queries.js';
import type { Operation } from './operation.js';
import { epcisCapture } from './epcis-capture.js';
import { epcisEvents, type EpcisEventsOptions } from './epcis-events.js';
import { otepCheck } from './otep-check.js';
import { otepIngest } from './otep-ingest.js';
import { otepReading } from './otep-reading.js';
import { otepStatus } from './otep-status.js';
import { providerOperations } from './providers.js';

export interface OperationsOptions {
  readonly commands: Commands;
  readonly reader: TimelineReader;
  readonly capture: Capture;
  readonly captures: CaptureQueries;
  readonly epcis: Pick<EpcisEventsOptions, 'find' | 'trackings' | 'keyRing'>;
  readonly formats: readonly Format[];
  readonly now: () => number;
  readonly baseUrl: () => string;
  readonly countEvents: (outcome: 'accepted' | 'duplicate' | 'rejected', count: number) => void;
}

export function createOperations({ commands, reader, capture, captures, epcis, formats, now, baseUrl, countEvents }: OperationsOptions): Operation[] {
  const localize = (errors: readonly FieldError[], language: string | undefined) => {
    const chosen = chooseLanguage(language);
    return errors.map((error) => localizeField(error, chosen));
  };
  return [
    ...otepReading({ reader, formats, baseUrl }),
    ...otepIngest({ ingest: commands.ingest, now, localize, countEvents }),
    ...otepStatus({ ingest: commands.ingest, localize, countEvents }),
    ...epcisCapture({ capture, captures, localize, countEvents }),
    ...epcisEvents({ ...epcis, now, baseUrl }),
    ...otepCheck({ formats, now, baseUrl, localize }),
    ...providerOperations({ handle: commands.providers }),
  ];
}
