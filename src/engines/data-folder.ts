/** The folder of the service's own data, which is to be there before anything is written to it. */
import { makeFolder } from './folder.js';
import { StartRefused } from './start-refused.js';

/** Makes it where it is not there. Throws StartRefused where it cannot be made, with the variable that names it. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartRefused(
      `DATA_DIR: ${dataDir} ${WHY[code ?? ''] ?? `cannot be made a folder (${code})`}. Set DATA_DIR to a folder that this user may write to.`,
    );
  }
}

const WHY: Readonly<Record<string, string>> = {
  EEXIST: 'is a file, and no folder',
  ENOTDIR: 'is below a file, and can be no folder',
  ENOENT: 'cannot be made: nothing can be made in the folder above',
  EACCES: 'cannot be made: this user may not write to the folder above',
  EPERM: 'cannot be made: this user may not write to the folder above',
  EROFS: 'cannot be made: that disk can only be read',
};
