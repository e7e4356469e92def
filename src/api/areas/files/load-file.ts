/** Loads the content of a stored file. */
import { FileDamaged, type Files } from '../../../engines/files/files.js';
import { ApiError } from '../../core/errors.js';

/** Undefined if the file does not exist or was erased. Throws FILE_DAMAGED. */
export async function findFileContent(files: Pick<Files, 'open'>, id: string): Promise<Buffer | undefined> {
  const file = await files.open(id).catch((cause: unknown) => {
    throw cause instanceof FileDamaged ? new ApiError('FILE_DAMAGED', { cause }) : cause;
  });
  return file?.content;
}

/** Throws FILE_NOT_FOUND and FILE_DAMAGED. */
export async function loadFile(files: Pick<Files, 'open'>, id: string): Promise<Buffer> {
  const content = await findFileContent(files, id);
  if (!content) throw new ApiError('FILE_NOT_FOUND');
  return content;
}
