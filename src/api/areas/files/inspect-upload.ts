/** Decides what an uploaded file is, and prepares its content. Pictures and archives are parsed in a reader process. */
import { ApiError, explainedError } from '../../core/errors.js';
import { startsWithObject, GEO_JSON, mediaTypeOf, XLSX, ZIP } from './media.js';
import { readAll, type Readers } from './read-pieces.js';

export interface InspectOptions {
  readonly purpose: string;
  /** The allowed media types. */
  readonly types: readonly string[];
  readonly business: number;
  readonly readers: Pick<Readers, 'requests'>;
}

export interface InspectedUpload {
  readonly mediaType: string;
  /** Pictures: without metadata. */
  readonly content: Buffer;
}

/** Throws UNSUPPORTED_MEDIA_TYPE, FILE_SUSPICIOUS, and the codes of files that end their reader process. */
export async function inspectUpload(bytes: Buffer, options: InspectOptions): Promise<InspectedUpload> {
  const { purpose, types, business, readers } = options;
  const by = { business, field: 'body' };
  const unsupported = (): ApiError =>
    explainedError('UNSUPPORTED_MEDIA_TYPE', 'FILE_TYPE', 'body', { params: { allowed: types.join(', ') }, path: '' });

  let mediaType = bytes.length === 0 ? undefined : mediaTypeOf(bytes);
  if (purpose === 'map' && mediaType === 'text/csv' && startsWithObject(bytes)) mediaType = GEO_JSON;
  if (mediaType === ZIP && types.includes(XLSX)) {
    const [kind] = await readAll(readers.requests, 'archive', bytes, {}, by);
    if (kind === 'workbook') mediaType = XLSX;
  }
  if (mediaType === undefined || !types.includes(mediaType)) throw unsupported();
  if (!mediaType.startsWith('image/')) return { mediaType, content: bytes };
  const pieces = await readAll(readers.requests, 'picture', bytes, { mediaType }, by).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === 'UNSUPPORTED_MEDIA_TYPE' ? unsupported() : error;
  });
  return { mediaType, content: Buffer.concat(pieces) };
}
