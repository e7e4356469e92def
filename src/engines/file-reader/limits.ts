/** Limits of the processes that read files, and of tables. */

export interface ReaderLimits {
  /** Maximum number of processes per pool. */
  readonly processes: number;
  /** Heap of a process in MiB. Its whole memory may be larger by `OVERHEAD_MB`. */
  readonly memoryMb: number;
  /** Maximum computing time for one file, in seconds. Time in which the service does not ask for rows is free. */
  readonly seconds: number;
}

export interface TableLimits {
  /** Maximum number of columns. */
  readonly columns: number;
  /** Maximum number of cells. */
  readonly cells: number;
  /** After this number of blank rows in a row, the table ends. */
  readonly blankRows: number;
}

/** Code, file content and buffers of a process that are not in its heap. */
export const OVERHEAD_MB = 512;
