/** Manifests in responses. */
import { z } from 'zod';
import {
  isDocumentMissing,
  MANIFEST_STATUSES,
  manifestStatusOf,
  ordersOf,
  refusedLabels,
  type Manifest,
} from '../../../events/manifests/manifest.js';

const text = z.string();

const documentOutput = z
  .object({
    file_id: z.uuid(),
    media_type: text,
    size_bytes: z.int(),
    href: text.describe('Path from which the file is downloaded.'),
  })
  .meta({ id: 'ManifestDocument' });

const refusedOutput = z
  .object({ order_id: z.int(), package_id: text, tracking_number: text, code: text.describe('Code of the carrier.') })
  .meta({ id: 'RefusedLabel' });

export const manifestOutput = z
  .object({
    id: z.int(),
    carrier_account_id: z.int(),
    ship_date: z.iso.date(),
    status: z
      .enum(MANIFEST_STATUSES)
      .describe(
        '`opening`: labels are joining. `submitting`: the carrier is asked. `unknown`: the result is unknown, and staff must settle it with `effectSettle`. `failed`: the carrier refused all labels. `empty`: no label could join.',
      ),
    reference: text.nullable().describe('Reference of the carrier. It may have several words.'),
    order_count: z.int().describe('Number of label orders.'),
    label_count: z.int().describe('Number of labels. An order has one for each package.'),
    order_ids: z.array(z.int()).max(500),
    refused: z.array(refusedOutput).describe('Labels that the carrier refused. Their orders are open again.'),
    failure_code: text.nullable().describe('Why the carrier refused all labels.'),
    documents: z.array(documentOutput),
    is_document_missing: z
      .boolean()
      .describe('True: a document of the carrier could not be downloaded yet. The service tries again.'),
    opened_by: z.int().nullable(),
  })
  .meta({ id: 'Manifest' });
export type ManifestOutput = z.infer<typeof manifestOutput>;

export function toManifest(manifest: Manifest): ManifestOutput {
  const { labels = [], result, call } = manifest;
  const orderIds = ordersOf(labels);
  return {
    id: manifest.manifest_id,
    carrier_account_id: manifest.account_id,
    ship_date: manifest.ship_date,
    status: manifestStatusOf(manifest),
    reference: result?.reference ?? null,
    order_count: orderIds.length,
    label_count: labels.length,
    order_ids: [...orderIds],
    refused: refusedLabels(manifest).map(({ order_id, package_id, tracking_number, code }) => ({
      order_id,
      package_id,
      tracking_number,
      code,
    })),
    failure_code: call?.code ?? null,
    documents: (result?.documents ?? []).map(({ file_id, media_type, bytes }) => ({
      file_id,
      media_type,
      size_bytes: bytes,
      href: `/api/v1/files/${file_id}`,
    })),
    is_document_missing: isDocumentMissing(manifest),
    opened_by: manifest.opened_by ?? null,
  };
}
