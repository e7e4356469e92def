/** One process that reads files for the service, as the service sees it. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Kind, Kinds } from './kinds/index.js';
import { OVERHEAD_MB, type ReaderLimits } from './limits.js';
import type { FromReader, ToReader } from './protocol.js';
import { FileRefused, type EndCode } from './refused.js';

const PROGRAM = fileURLToPath(new URL('./child.js', import.meta.url));
const MIB = 1_048_576;
/** Bytes per message: the service waits until the process has taken them. */
const CHUNK = MIB;
/** Interval at which the memory of a process is checked, in milliseconds. */
const CHECK_MS = 200;

export type ReaderProcess = ReturnType<typeof startReaderProcess>;

export function startReaderProcess({ memoryMb, seconds }: Omit<ReaderLimits, 'processes'>) {
  // An empty environment: the process gets no key, no password and no option of the service.
  const child: ChildProcess = fork(PROGRAM, [], {
    env: {},
    execArgv: [`--max-old-space-size=${memoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const maxBytes = (memoryMb + OVERHEAD_MB) * MIB;
  let endCode: EndCode | undefined;
  let isAlive = true;
  let lose: (error: FileRefused) => void = () => {};
  const lost = new Promise<never>((_resolve, reject) => (lose = reject));
  // If the process ends while no caller waits, the next call gets the error.
  lost.catch(() => {});
  const exited = new Promise<void>((resolve) => {
    const onEnd = (signal?: unknown): void => {
      isAlive = false;
      // V8 aborts at its heap limit.
      endCode ??= signal === 'SIGABRT' ? 'FILE_READ_MEMORY' : 'FILE_READ_FAILED';
      lose(refusal(endCode));
      resolve();
    };
    child.once('exit', (_code, signal) => onEnd(signal));
    child.once('error', () => onEnd());
  });

  const refusal = (code: EndCode): FileRefused =>
    new FileRefused(code, { max: code === 'FILE_READ_MEMORY' ? memoryMb : seconds });

  function kill(code: EndCode): void {
    endCode ??= code;
    lose(refusal(endCode));
    child.kill('SIGKILL');
  }

  /** The process keeps the service running only while it reads. */
  function hold(isHeld: boolean): void {
    if (!child.connected) return;
    if (isHeld) child.channel?.ref();
    else child.channel?.unref();
  }
  child.unref();
  hold(false);

  const send = (message: ToReader): Promise<void> =>
    new Promise((resolve, reject) => child.send(message, (error) => (error ? reject(error) : resolve())));

  /** The next answer. Its computing time is subtracted from `budget`. */
  async function ask(message: ToReader, budget: { ms: number }): Promise<FromReader> {
    const startedAt = performance.now();
    const timer = setTimeout(() => kill('FILE_READ_TIME'), budget.ms);
    const answered = once(child, 'message') as Promise<[FromReader]>;
    answered.catch(() => {});
    try {
      await Promise.race([send(message).catch(() => lost), lost]);
      const [answer] = await Promise.race([answered, lost]);
      return answer;
    } finally {
      clearTimeout(timer);
      budget.ms -= performance.now() - startedAt;
    }
  }

  async function checkMemory(): Promise<void> {
    const bytes = await memoryOf(child.pid);
    if (bytes !== undefined && bytes > maxBytes) kill('FILE_READ_MEMORY');
  }

  return {
    get isAlive(): boolean {
      return isAlive && endCode === undefined;
    },
    /**
     * Yields the pieces of a file; the process waits until the caller requests the next piece. Throws FileRefused.
     * After an iteration that did not reach the end, the process must be ended.
     */
    async *read<K extends Kind>(
      kind: K,
      content: Buffer,
      options: Kinds[K]['options'],
    ): AsyncGenerator<Kinds[K]['piece'], void> {
      hold(true);
      const check = setInterval(() => void checkMemory(), CHECK_MS);
      check.unref();
      const budget = { ms: seconds * 1_000 };
      try {
        for (let at = 0; at < content.length; at += CHUNK)
          await Promise.race([
            send({ type: 'bytes', bytes: content.subarray(at, at + CHUNK) }).catch(() => lost),
            lost,
          ]);
        let answer = await ask({ type: 'read', kind, options } as ToReader, budget);
        while (answer.type === 'piece') {
          yield answer.piece as Kinds[K]['piece'];
          answer = await ask({ type: 'next' }, budget);
        }
        if (answer.type === 'refused') throw new FileRefused(answer.code, answer.params);
        if (answer.type === 'failed') {
          kill('FILE_READ_FAILED');
          throw refusal('FILE_READ_FAILED');
        }
        // Memory that a large file needed is returned to the system.
        if (answer.rss > OVERHEAD_MB * MIB) kill('FILE_READ_MEMORY');
      } finally {
        clearInterval(check);
        hold(false);
      }
    },
    /** Resolves when the process has ended. */
    async end(): Promise<void> {
      if (!isAlive) return;
      kill('FILE_READ_FAILED');
      await exited;
    },
  };
}

/** Memory of a process in bytes; undefined where the system does not report it. The heap limit of V8 holds everywhere. */
async function memoryOf(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status);
  return found ? Number(found[1]) * 1_024 : undefined;
}
