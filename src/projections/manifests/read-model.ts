/** The read model of manifests. It contains no personal data. */
import type { StoredEvent } from '../../events/core/log.js';
import { MANIFEST_PREFIX } from '../../events/manifests/events.js';
import {
  evolveManifest,
  isDocumentMissing,
  manifestStatusOf,
  type Manifest,
  type ManifestStatus,
} from '../../events/manifests/manifest.js';
import { code, flag, integer, json, text, type RowOf } from '../core/columns.js';
import { sequence } from '../core/sequence.js';
import { recordedAt, table } from '../core/table.js';

/** Ids of manifests. */
export const MANIFEST_IDS = sequence('manifests', { readModel: 'manifests', table: 'manifests.manifests' });

const columns = {
  id: integer(),
  business: integer(),
  account_id: integer(),
  ship_date: code(),
  status: text<ManifestStatus>(),
  /** The manifest is closed, and a document of the carrier is not stored yet. */
  is_document_missing: flag(),
  manifest: json<Manifest>(),
  created_at: text(),
  updated_at: text(),
  revision: integer(),
};
export type ManifestRow = RowOf<typeof columns>;

function fold(row: ManifestRow | undefined, event: StoredEvent): ManifestRow {
  const manifest = evolveManifest(row?.manifest, event);
  if (!manifest) throw new Error(`The stream has ${event.type} before its manifest.`);
  return {
    id: manifest.manifest_id,
    business: manifest.business,
    account_id: manifest.account_id,
    ship_date: manifest.ship_date,
    status: manifestStatusOf(manifest),
    is_document_missing: isDocumentMissing(manifest),
    manifest,
    created_at: row?.created_at ?? recordedAt(event),
    updated_at: recordedAt(event),
    revision: event.revision,
  };
}

export const manifests = table({
  name: 'manifests',
  version: 1,
  prefixes: [MANIFEST_PREFIX],
  columns,
  indexes: [
    '(business, id desc)',
    '(account_id, id desc)',
    "(created_at) where status = 'opening'",
    '(id) where is_document_missing',
  ],
  fold,
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'manifests', { 'manifests.manifests': ManifestRow }> {}
}
