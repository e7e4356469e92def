/**
 * The topics of provider ingest. The name of a topic determines the provider. The broker's access control (ACLs on
 * `<prefix>.ingest.<provider>`) decides who may write to it, as the provider's key does for HTTP.
 */
import type { Topic } from '../../events/core/broker.js';
import { providerIdSchema } from '../../events/providers/events.js';

/** The maximum size of an HTTP body, plus room for headers. */
const PUSH_BYTES = 1_114_112;
/** Responses, and rejected pushes together with their errors. */
const RESPONSE_BYTES = 2_097_152;

export interface IngestTopics {
  /** Topic of incoming timelines. */
  readonly pushes: string;
  /** Topic of all responses, with the keys of the pushes. */
  readonly replies: string;
  /** Topic of dead letters: rejected pushes, unchanged, with the reason. */
  readonly rejected: string;
}

export function ingestTopics(prefix: string, provider: string): IngestTopics {
  const pushes = `${prefix}.ingest.${provider}`;
  return { pushes, replies: `${pushes}.replies`, rejected: `${pushes}.rejected` };
}

/** The provider of a topic of pushes; undefined for any other topic, because provider ids contain no dot. */
export function providerOf(prefix: string, topic: string): string | undefined {
  const start = `${prefix}.ingest.`;
  const id = topic.startsWith(start) ? topic.slice(start.length) : '';
  return providerIdSchema.safeParse(id).success ? id : undefined;
}

/** The settings for creating missing topics. */
export function topicsToCreate(prefix: string, provider: string): Topic[] {
  const { pushes, replies, rejected } = ingestTopics(prefix, provider);
  return [
    { name: pushes, maxMessageBytes: PUSH_BYTES },
    { name: replies, maxMessageBytes: RESPONSE_BYTES },
    { name: rejected, maxMessageBytes: RESPONSE_BYTES },
  ];
}
