/** Topics of the events of each area: one topic per area, `<prefix>.<area>`. */
import type { Topic } from '../events/core/broker.js';

export interface Area {
  readonly name: string;
  /** Prefix of the names of its streams. */
  readonly prefix: string;
}

/** The size of an encrypted capture of the largest push, with a margin. Applies if the relay creates the topic. */
export const MAX_MESSAGE_BYTES = 4_194_304;

export const topicOf = (prefix: string, area: Area): string => `${prefix}.${area.name}`;

export const relayTopics = (prefix: string, areas: readonly Area[]): Topic[] =>
  // An area with two families of streams has one topic.
  [...new Set(areas.map((area) => topicOf(prefix, area)))].map((name) => ({
    name,
    maxMessageBytes: MAX_MESSAGE_BYTES,
  }));

/**
 * Returns the topic of a stream. Throws for an area that this version does not know: a newer process wrote the event,
 * and only a newer process can send it.
 */
export function createRouter(prefix: string, areas: readonly Area[]): (stream: string) => string {
  const topics = new Map(areas.map((area) => [area.prefix, topicOf(prefix, area)]));
  return (stream) => {
    const topic = topics.get(stream.slice(0, stream.indexOf('-') + 1));
    if (topic === undefined) throw new Error(`No area of this version of the service owns the stream ${stream}.`);
    return topic;
  };
}
