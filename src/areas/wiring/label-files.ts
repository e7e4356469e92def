/** The files of labels in the file store: made by the service, or downloaded from the carrier. */
import { randomUUID } from 'node:crypto';
import type { LabelFile } from '../../engines/outside/carriers/port.js';
import { LABEL_MEDIA_TYPES, type LabelFormat } from '../../engines/outside/carriers/shipment.js';
import type { Files } from '../../engines/files/files.js';
import type { StoredLabelFile } from '../../events/labels/effects.js';
import { labelStream } from '../../events/labels/events.js';

/** The service owns these files. */
const OWNER = 0;
/** Maximum size of a label, in bytes. */
export const MAX_LABEL_BYTES = 5 * 1_048_576;

/** First bytes of the formats: the content counts, not the header of the response. */
const SIGNATURES: Readonly<Record<LabelFormat, readonly string[]>> = {
  pdf: ['%PDF-'],
  png: ['\x89PNG\r\n\x1a\n'],
  zpl: ['^XA', '~', '\ufeff^XA', '^FX', '\r\n^XA', '\n^XA'],
};

export const isOfFormat = (format: LabelFormat, bytes: Uint8Array): boolean => {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return SIGNATURES[format].some((signature) => start.startsWith(signature));
};

export interface LabelFilesOptions {
  readonly files: Pick<Files, 'put' | 'open' | 'use'>;
  /** Reads a file from an address that a carrier returned. */
  readonly download: (url: string) => Promise<{ readonly bytes: Buffer } | undefined>;
}

export interface LabelOf {
  readonly business: number;
  readonly orderId: number;
}

/** The service stores the file of a label under the key of its order, so other files are never labels of the order. */
const fileOf = ({ business, orderId }: LabelOf) => ({ business, owner: OWNER, subject: labelStream(orderId) });

export type LabelFiles = ReturnType<typeof createLabelFiles>;

export function createLabelFiles({ files, download }: LabelFilesOptions) {
  /** Undefined: the download failed, or its content is no label of the format. */
  async function bytesOf(file: LabelFile): Promise<Uint8Array | undefined> {
    const bytes = 'bytes' in file ? file.bytes : (await download(file.url).catch(() => undefined))?.bytes;
    const isLabel = bytes && bytes.length > 0 && bytes.length <= MAX_LABEL_BYTES && isOfFormat(file.format, bytes);
    return isLabel ? bytes : undefined;
  }

  return {
    /** The content of a label. Undefined: it cannot be downloaded, or is no label of the format. */
    async read(file: LabelFile): Promise<Buffer | undefined> {
      const bytes = await bytesOf(file);
      return bytes && Buffer.from(bytes);
    },

    /**
     * Stores a label under the key of its order. Undefined: there is none yet. An event must name the file within a day;
     * otherwise it is removed.
     */
    async store(file: LabelFile, { business, orderId }: LabelOf): Promise<StoredLabelFile | undefined> {
      const bytes = await bytesOf(file);
      if (!bytes) return undefined;
      const { format } = file;
      const mediaType = LABEL_MEDIA_TYPES[format];
      const id = randomUUID();
      const content = Buffer.from(bytes);
      const subject = labelStream(orderId);
      await files.put({ id, business, owner: OWNER, subject, purpose: 'issued', mediaType, content });
      return { file_id: id, format, media_type: mediaType, bytes: content.length };
    },

    /** An event names the file, so it stays. A file that the service did not store for this order is not kept. */
    keep: (fileId: string, of: LabelOf): Promise<void> => files.use(fileId, fileOf(of)),

    /** Undefined: the file was erased, or is no label of the order. Throws FileDamaged. */
    open: async (fileId: string, of: LabelOf): Promise<Buffer | undefined> =>
      (await files.open(fileId, fileOf(of)))?.content,
  };
}
