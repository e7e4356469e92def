/** Creates the data folder of the service, which must exist before data is written to it. */
import { makeFolder } from './folder.js';
import { StartupError } from './startup-error.js';

/** Creates the folder if it is missing. Throws StartRefused with the name of the variable if it cannot be created. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(
      `DATA_DIR: ${dataDir} ${WHY[code ?? ''] ?? `cannot be created as a folder (${code})`}. Set DATA_DIR to a folder that this user may write to.`,
    );
  }
}

const WHY: Readonly<Record<string, string>> = {
  EEXIST: 'is a file, not a folder',
  ENOTDIR: 'is below a file and cannot be a folder',
  ENOENT: 'cannot be created: the folder above does not allow it',
  EACCES: 'cannot be created: this user cannot write to the folder above',
  EPERM: 'cannot be created: this user cannot write to the folder above',
  EROFS: 'cannot be created: the disk is read-only',
};
