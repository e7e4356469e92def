/**
 * Reads tables from workbooks: values only, without computing formulas or following links. A worker thread reads them,
 * so that a large workbook does not block the process. A malicious workbook can end only the thread.
 */
import { Worker } from 'node:worker_threads';

/** The value as the workbook stores it: a text stays a text, even if it looks like a number. Null: empty. */
export type Cell = string | number | boolean | Date | null;

export interface ThreadWork {
  readonly content: ArrayBuffer;
  readonly sheet: string | undefined;
}
export type ThreadAnswer = { readonly rows: readonly (readonly Cell[])[] } | { readonly wrong: 'sheet' | 'file' };

/** The sheet does not exist, or the file is not a workbook that can be read within the limits. */
export class WorkbookRefused extends Error {
  override readonly name = 'WorkbookRefused';
  constructor(readonly reason: 'sheet' | 'file') {
    super(`the ${reason} cannot be read`);
  }
}

/** Memory limit of the thread. */
const MAX_MEMORY_MB = 1_024;
/** Maximum time until the first rows arrive. A workbook of 50 MB takes a tenth of it. */
const TIMEOUT_MS = 120_000;

/** Yields the rows of a sheet (absent: the first one), in pieces. Throws WorkbookRefused. */
export async function* readWorkbook(content: Buffer, sheet?: string): AsyncIterable<readonly (readonly Cell[])[]> {
  const bytes = new ArrayBuffer(content.length);
  content.copy(new Uint8Array(bytes));
  const workerData: ThreadWork = { content: bytes, sheet };
  const thread = new Worker(new URL('./xlsx-thread.js', import.meta.url), {
    workerData,
    transferList: [bytes],
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  let lose: (error: Error) => void = () => {};
  const lost = new Promise<never>((_resolve, reject) => (lose = reject));
  // If the thread is lost while no caller waits, the next call gets the error.
  lost.catch(() => {});
  const refuse = (): void => lose(new WorkbookRefused('file'));
  thread.on('error', refuse);
  thread.on('exit', refuse);
  const overdue = setTimeout(refuse, TIMEOUT_MS);
  try {
    for (;;) {
      const answered = new Promise<ThreadAnswer>((resolve) => thread.once('message', resolve));
      thread.postMessage('more');
      const answer = await Promise.race([answered, lost]);
      if ('wrong' in answer) throw new WorkbookRefused(answer.wrong);
      if (answer.rows.length === 0) return;
      clearTimeout(overdue);
      yield answer.rows;
    }
  } finally {
    clearTimeout(overdue);
    await thread.terminate();
  }
}
