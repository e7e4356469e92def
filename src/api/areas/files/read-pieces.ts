/** Reads a file in a reader process; its faults become errors of the API. */
import type { Kind, Kinds } from '../../../engines/file-reader/kinds/index.js';
import type { FileContent, FileReaders } from '../../../engines/file-reader/readers.js';
import { FileRefused, ReadersBusy } from '../../../engines/file-reader/refused.js';
import { ApiError } from '../../core/errors.js';

/** `jobs` may read for long; `requests` never wait for them. */
export interface Readers {
  readonly jobs: FileReaders;
  readonly requests: FileReaders;
}

export interface ReadBy {
  readonly business: number;
  /** Member of the input that names the file, for errors about its bytes. */
  readonly field: string;
  readonly signal?: AbortSignal;
}

const RETRY_SECONDS = '2';
/** Faults of single bytes are faults of the field that names the file. */
const FIELD_CODES: ReadonlySet<string> = new Set(['WRONG_BYTE', 'INVALID_ENCODING']);

/** Yields the pieces of a file. Throws ApiError: the codes of FileRefused, and UNAVAILABLE if too many files wait. */
export async function* readPieces<K extends Kind>(
  readers: FileReaders,
  kind: K,
  content: FileContent,
  options: Kinds[K]['options'],
  { field, ...by }: ReadBy,
): AsyncGenerator<Kinds[K]['piece'], void> {
  try {
    yield* readers.read(kind, content, options, by);
  } catch (error) {
    if (error instanceof ReadersBusy)
      throw new ApiError('UNAVAILABLE', { headers: { 'Retry-After': RETRY_SECONDS }, cause: error });
    throw error instanceof FileRefused ? apiErrorOf(error, field) : error;
  }
}

function apiErrorOf(cause: FileRefused, field: string): ApiError {
  const { code, params } = cause;
  if (!FIELD_CODES.has(code)) return new ApiError(code, { params, cause });
  return new ApiError('INVALID_INPUT', { errors: [{ field, path: `/${field}`, code, params }], cause });
}

/** All pieces of a file that is small when it is read. */
export async function readAll<K extends Kind>(
  ...args: Parameters<typeof readPieces<K>>
): Promise<readonly Kinds[K]['piece'][]> {
  const pieces: Kinds[K]['piece'][] = [];
  for await (const piece of readPieces(...args)) pieces.push(piece);
  return pieces;
}
