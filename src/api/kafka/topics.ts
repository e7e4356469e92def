/**
 * The topics of provider ingest. A topic's name says whose scans it carries: who may write it is for the broker's
 * access control (ACLs on `<prefix>.ingest.<provider>`), as a provider's key is for HTTP.
 */
import type { Topic } from '../../events/core/broker.js';
import { providerIdSchema } from '../../events/providers/events.js';

/** As large as a body may be over HTTP, and room for headers. */
const PUSH_BYTES = 1_114_112;
/** Answers and refused messages with what was said of them. */
const ANSWER_BYTES = 2_097_152;

export interface IngestTopics {
  /** Timelines come in here. */
  readonly pushes: string;
  /** Every answer, under the key of its push. */
  readonly replies: string;
  /** Dead letters: pushes of which nothing was taken, as they came, with the reason. */
  readonly rejected: string;
}

export function ingestTopics(prefix: string, provider: string): IngestTopics {
  const pushes = `${prefix}.ingest.${provider}`;
  return { pushes, replies: `${pushes}.replies`, rejected: `${pushes}.rejected` };
}

/** Whose pushes a topic carries; undefined for any other topic: provider ids have no dot. */
export function providerOf(prefix: string, topic: string): string | undefined {
  const start = `${prefix}.ingest.`;
  const id = topic.startsWith(start) ? topic.slice(start.length) : '';
  return providerIdSchema.safeParse(id).success ? id : undefined;
}

/** As they are made where they are missing. */
export function topicsToMake(prefix: string, provider: string): Topic[] {
  const { pushes, replies, rejected } = ingestTopics(prefix, provider);
  return [
    { name: pushes, maxMessageBytes: PUSH_BYTES },
    { name: replies, maxMessageBytes: ANSWER_BYTES },
    { name: rejected, maxMessageBytes: ANSWER_BYTES },
  ];
}
