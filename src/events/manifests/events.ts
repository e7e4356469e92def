/**
 * Events of a manifest: labels of one carrier account and ship date that the carrier takes over together. Stream
 * `manifest-<manifest id>`, which is also the key subject of the document. A label joins in its own stream
 * (`ManifestJoined`), so it is in at most one open manifest.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { MANIFEST_EFFECT_EVENTS, manifestFileSchema } from './effects.js';

export const MANIFEST_PREFIX = 'manifest-';
export const manifestStream = (manifestId: number): string => `${MANIFEST_PREFIX}${manifestId}`;
export const manifestIdOf = (stream: string): number => Number(stream.slice(MANIFEST_PREFIX.length));

const text = z.string();

const openedSchema = z.object({
  manifest_id: z.int(),
  business: z.int(),
  /** Account of the business at the carrier. */
  account_id: z.int(),
  adapter: text,
  /** `YYYY-MM-DD`. */
  ship_date: text,
  /** The label orders that are asked to join. Those that can do so are in `ManifestLabelsListed`. */
  order_ids: z.array(z.int()),
  /** User id. */
  opened_by: z.int().optional(),
});
export type NewManifest = z.infer<typeof openedSchema>;

/** The end of the day has begun. No label has joined yet. */
export const ManifestOpened = eventType('ManifestOpened', openedSchema);

const labelSchema = z.object({
  order_id: z.int(),
  package_id: text,
  /** The shipment at the carrier. */
  remote_id: text,
  tracking_number: text,
  weight_kg: z.number().optional(),
});
export type ManifestLabel = z.infer<typeof labelSchema>;

/** The labels that have joined. No other label joins afterwards, and the call to the carrier begins in the same append. */
export const ManifestLabelsListed = eventType('ManifestLabelsListed', z.object({ labels: z.array(labelSchema) }));

/** No label could join, so nothing is sent to the carrier. */
export const ManifestAbandoned = eventType('ManifestAbandoned', z.object({}));

/** Documents that could not be downloaded when the manifest was closed. `documents`: all of the manifest. */
export const ManifestDocumentsStored = eventType(
  'ManifestDocumentsStored',
  z.object({ documents: z.array(manifestFileSchema) }),
);

export const MANIFEST_EVENTS = [
  ManifestOpened,
  ManifestLabelsListed,
  ManifestAbandoned,
  ManifestDocumentsStored,
  ...MANIFEST_EFFECT_EVENTS,
] as const;
