/**
 * Converts an event of the log to a CloudEvents 1.0 message for Kafka (CloudEvents 1.0.2, Kafka protocol binding
 * 1.0.2). The same event always gives the same message. Personal data stays encrypted. Of the metadata, only references
 * to other events are sent, never a key, token or idempotency key of the caller.
 */
import type { Message } from '../events/core/broker.js';
import type { StoredEvent } from '../events/core/log.js';

export const CLOUD_EVENT_MODES = ['structured', 'binary'] as const;
export type CloudEventMode = (typeof CLOUD_EVENT_MODES)[number];

/** Context attributes by name. The specification allows only lower-case letters and digits in extension names. */
export interface CloudEventAttributes {
  readonly specversion: '1.0';
  /** The event's UUID, by which consumers recognize a repeated message. */
  readonly id: string;
  readonly source: string;
  readonly type: string;
  /** The stream, which is also the message's key. */
  readonly subject: string;
  readonly time?: string;
  readonly datacontenttype: 'application/json';
  /** Identifies the version of the data, which is sent as it was stored. */
  readonly dataschema: string;
  /** Position in the log: a string that orders all events. */
  readonly position: string;
  /** Revision in the stream, from 0. */
  readonly revision: number;
  readonly correlationid?: string;
  readonly causationid?: string;
}

export const dataSchemaOf = (type: string, version: number): string => `urn:otep:event:${type}:${version}`;
export const sourceOf = (prefix: string): string => `urn:otep:${prefix}`;

export function attributesOf(
  { id, stream, type, version, position, revision, metadata }: StoredEvent,
  source: string,
): CloudEventAttributes {
  const text = (name: string): string | undefined => (typeof metadata[name] === 'string' ? metadata[name] : undefined);
  const time = text('recorded_at');
  const correlationid = text('$correlationId');
  const causationid = text('$causationId');
  return {
    specversion: '1.0',
    id,
    source,
    type,
    subject: stream,
    ...(time !== undefined && { time }),
    datacontenttype: 'application/json',
    dataschema: dataSchemaOf(type, version),
    position,
    revision,
    ...(correlationid !== undefined && { correlationid }),
    ...(causationid !== undefined && { causationid }),
  };
}

/** Structured: one JSON document. Binary: attributes as `ce_` headers, data as the value. */
export function toCloudEvent(
  event: StoredEvent,
  { mode, source, topic }: { mode: CloudEventMode; source: string; topic: string },
): Message {
  const attributes = attributesOf(event, source);
  if (mode === 'structured') {
    return {
      topic,
      key: event.stream,
      value: JSON.stringify({ ...attributes, data: event.data }),
      headers: { 'content-type': 'application/cloudevents+json; charset=UTF-8' },
    };
  }
  const { datacontenttype, ...others } = attributes;
  const headers = Object.fromEntries(Object.entries(others).map(([name, value]) => [`ce_${name}`, String(value)]));
  return {
    topic,
    key: event.stream,
    value: JSON.stringify(event.data),
    headers: { ...headers, 'content-type': datacontenttype },
  };
}
