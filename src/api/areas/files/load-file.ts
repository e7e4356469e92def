/** Loads the content of a stored file. */
import { FileDamaged, type Files } from '../../../engines/files/files.js';
import { ApiError } from '../../core/errors.js';

/** Throws FILE_NOT_FOUND and FILE_DAMAGED. */
export async function loadFile(files: Pick<Files, 'open'>, id: string): Promise<Buffer> {
  const file = await files.open(id).catch((cause: unknown) => {
    throw cause instanceof FileDamaged ? new ApiError('FILE_DAMAGED', { cause }) : cause;
  });
  if (!file) throw new ApiError('FILE_NOT_FOUND');
  return file.content;
}
