/** The documents of manifests in the file store: made by the service, or downloaded from the carrier. */
import { randomUUID } from 'node:crypto';
import type { LabelFile } from '../../engines/outside/carriers/port.js';
import type { Files } from '../../engines/files/files.js';
import type { StoredManifestFile } from '../../events/manifests/effects.js';
import { manifestStream } from '../../events/manifests/events.js';
import { LABEL_MEDIA_TYPES } from '../../engines/outside/carriers/shipment.js';
import { isOfFormat } from './label-files.js';

/** The service owns these files. */
const OWNER = 0;
/** Maximum size of a document, in bytes. */
export const MAX_DOCUMENT_BYTES = 10 * 1_048_576;

export interface ManifestFilesOptions {
  readonly files: Pick<Files, 'put' | 'use'>;
  /** Reads a file from an address that a carrier returned. */
  readonly download: (url: string) => Promise<{ readonly bytes: Buffer } | undefined>;
}

/** The manifest of documents. */
export interface DocumentsOf {
  readonly business: number;
  readonly manifestId: number;
}

export type ManifestFiles = ReturnType<typeof createManifestFiles>;

export function createManifestFiles({ files, download }: ManifestFilesOptions) {
  /** Undefined: the download failed, or its content is no document of the format. */
  async function bytesOf(file: LabelFile): Promise<Uint8Array | undefined> {
    const bytes = 'bytes' in file ? file.bytes : (await download(file.url).catch(() => undefined))?.bytes;
    const isDocument =
      bytes && bytes.length > 0 && bytes.length <= MAX_DOCUMENT_BYTES && isOfFormat(file.format, bytes);
    return isDocument ? bytes : undefined;
  }

  async function store(
    file: LabelFile,
    { business, manifestId }: DocumentsOf,
  ): Promise<StoredManifestFile | undefined> {
    const bytes = await bytesOf(file);
    if (!bytes) return undefined;
    const mediaType = LABEL_MEDIA_TYPES[file.format];
    const id = randomUUID();
    const content = Buffer.from(bytes);
    const subject = manifestStream(manifestId);
    await files.put({ id, business, owner: OWNER, subject, purpose: 'issued', mediaType, content });
    return { file_id: id, media_type: mediaType, bytes: content.length };
  }

  return {
    /**
     * Stores documents under the key of their manifest, without those that cannot be downloaded now. An event must name a
     * file within a day; otherwise it is removed.
     */
    async storeAll(documents: readonly LabelFile[], of: DocumentsOf): Promise<StoredManifestFile[]> {
      const stored: StoredManifestFile[] = [];
      // One after the other: a document may be large.
      for (const document of documents) {
        const one = await store(document, of);
        if (one) stored.push(one);
      }
      return stored;
    },

    /** An event names the file, so it stays. */
    keep: (fileId: string, { business, manifestId }: DocumentsOf): Promise<void> =>
      files.use(fileId, { business, owner: OWNER, subject: manifestStream(manifestId) }),
  };
}
