/** An event as a leaf of the log's Merkle tree: the same bytes whichever engine holds it. */
import { canonical } from './canonical.js';
import { leafHash } from './merkle.js';
import type { StoredEvent } from '../core/log.js';

/** What of an event the tree vouches for: all but its position, which another engine gives anew. */
export type LeafEvent = Omit<StoredEvent, 'position'>;

/**
 * RFC 8785 JSON of stream, revision, id, type, version, `recorded_at` of the metadata, data and metadata, all as
 * stored: what is sealed stays sealed, so the tree outlives the keys.
 */
export function leafOf({ stream, revision, id, type, version, data, metadata }: LeafEvent): string {
  return canonical({ stream, revision, id, type, version, recorded_at: metadata['recorded_at'], data, metadata });
}

export const leafHashOf = (event: LeafEvent): Buffer => leafHash(leafOf(event));
