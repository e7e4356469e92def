/** Converts an event to a leaf of the log's Merkle tree. The bytes are the same in every log engine. */
import { canonical } from './canonical.js';
import { leafHash } from './merkle.js';
import type { StoredEvent } from '../core/log.js';

/** The members of an event that the tree covers: all but its position, which differs between engines. */
export type LeafEvent = Omit<StoredEvent, 'position'>;

/**
 * RFC 8785 JSON of stream, revision, id, type, version, `recorded_at` of the metadata, data and metadata, all as
 * stored. Encrypted data stays encrypted, so the tree remains valid after keys are destroyed.
 */
export function leafOf({ stream, revision, id, type, version, data, metadata }: LeafEvent): string {
  return canonical({ stream, revision, id, type, version, recorded_at: metadata['recorded_at'], data, metadata });
}

export const leafHashOf = (event: LeafEvent): Buffer => leafHash(leafOf(event));
