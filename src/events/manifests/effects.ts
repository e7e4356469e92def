/** The call to a carrier that a manifest records: the carrier takes over labels, and returns a document. */
import { z } from 'zod';
import { effectSteps, stepEvents } from '../effects/steps.js';

/** A stored document. Its bytes are a file of the purpose `issued`. */
export const manifestFileSchema = z.object({ file_id: z.uuid(), media_type: z.string(), bytes: z.int() });
export type StoredManifestFile = z.infer<typeof manifestFileSchema>;

const manifestResultSchema = z.object({
  /** Reference of the carrier. It may consist of several words. */
  reference: z.string(),
  /** Absent: staff settled the manifest. */
  documents: z.array(manifestFileSchema).optional(),
  /** The carrier has issued documents that could not be downloaded. */
  missing_documents: z.int().optional(),
  /** Labels that the carrier did not accept. `code`: of the carrier; its text may name persons, so it is not stored. */
  refused: z.array(z.object({ remote_id: z.string(), code: z.string() })),
});
export type ManifestResult = z.infer<typeof manifestResultSchema>;

/** Maximum number of labels of a manifest that a carrier refuses. */
const MAX_REFUSED = 500;

/** Staff give no documents: the id of a file of another business would make that file readable. */
const settledManifestSchema = z.strictObject({
  reference: z.string().trim().min(1).max(500),
  refused: z
    .array(z.strictObject({ remote_id: z.string().min(1).max(100), code: z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/) }))
    .max(MAX_REFUSED),
});

/** The subject of the effect: a stream has one manifest. */
export const WHOLE_MANIFEST = 'manifest';

export const LABEL_MANIFEST = effectSteps(
  'label_manifest',
  {
    begun: 'ManifestBegun',
    reserved: 'ManifestReserved',
    done: 'ManifestClosed',
    refused: 'ManifestFailed',
    leftOpen: 'ManifestLeftOpen',
  },
  { result: manifestResultSchema, settled: settledManifestSchema },
);

export const MANIFEST_EFFECTS = [LABEL_MANIFEST] as const;
export const MANIFEST_EFFECT_EVENTS = MANIFEST_EFFECTS.flatMap(stepEvents);
