import { copyFile, open, rename, rm, stat, truncate, type FileHandle } from 'node:fs/promises';

const LIMIT_BYTES = 8 << 20;
const CHECK_MS = 60_000;

/**
 * The server's log: a file it writes itself (so it never waits for this process), and the file of before, each about 8
 * MB at most.
 */
export class LogFile {
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {
    this.timer = setInterval(() => void this.keepSmall().catch(() => undefined), CHECK_MS).unref();
  }

  /** A new file for each start; that of the last start is kept next to it. */
  static async open(path: string): Promise<LogFile> {
    await rename(path, `${path}.1`).catch(() => rm(path, { force: true }));
    return new LogFile(path, await open(path, 'a', 0o600));
  }

  get fd(): number {
    return this.handle.fd;
  }

  /** The last lines, for an error that must say why. */
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

  /** Copies and cuts instead of moving: the server keeps its descriptor, which appends. */
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
