import { copyFile, open, rename, rm, stat, truncate, type FileHandle } from 'node:fs/promises';

const LIMIT_BYTES = 8 << 20;
const CHECK_MS = 60_000;

/**
 * The log of the server: a current file and the previous file, each at most about 8 MB. The server writes the file
 * itself, so that it never waits for this process.
 */
export class LogFile {
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {
    this.timer = setInterval(() => void this.keepSmall().catch(() => undefined), CHECK_MS).unref();
  }

  /** Starts a new file; the file of the last start is kept next to it. */
  static async open(path: string): Promise<LogFile> {
    await rename(path, `${path}.1`).catch(() => rm(path, { force: true }));
    return new LogFile(path, await open(path, 'a', 0o600));
  }

  get fd(): number {
    return this.handle.fd;
  }

  /** The last lines, for error messages. */
  async tail(lines = 15): Promise<string> {
    const file = await open(this.path);
    try {
      const { size } = await file.stat();
      const length = Math.min(size, 16 << 10);
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
      return buffer.toString('utf8').trimEnd().split('\n').slice(-lines).join('\n');
    } finally {
      await file.close();
    }
  }

  /** Copies and truncates the file instead of moving it, because the server keeps its descriptor, which appends. */
  async keepSmall(limit = LIMIT_BYTES): Promise<void> {
    if ((await stat(this.path)).size <= limit) return;
    await copyFile(this.path, `${this.path}.1`);
    await truncate(this.path);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.handle.close();
  }
}
