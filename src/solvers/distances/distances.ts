import type { Matrix } from '../routes/problem.js';

/** A point of the earth in millionths of a degree. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** A way: metres and seconds. */
export interface Way {
  readonly metres: number;
  readonly seconds: number;
}

/** No ways could be had. */
export class MatrixUnavailable extends Error {
  override readonly name = 'MatrixUnavailable';
}

/** How far it is: what planning and pricing ask. */
export interface Distances {
  readonly id: string;
  /** Null where no way leads there. */
  between(from: Position, to: Position, signal?: AbortSignal): Promise<Way | null>;
  /** From each to each; a negative time where no way leads there. May throw MatrixUnavailable. */
  matrix(positions: readonly Position[], signal?: AbortSignal): Promise<Matrix>;
}
