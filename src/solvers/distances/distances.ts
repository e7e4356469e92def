import type { Matrix } from '../routes/problem.js';

/** A point on the earth in millionths of a degree. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** Length and duration of a drive between two places. */
export interface TravelEstimate {
  readonly metres: number;
  readonly seconds: number;
}

/** Thrown if distances and durations are not available. */
export class MatrixUnavailable extends Error {
  override readonly name = 'MatrixUnavailable';
}

/** Road distances and durations for planning and pricing. */
export interface Distances {
  readonly id: string;
  /** Returns null if no route connects the two positions. */
  between(from: Position, to: Position, signal?: AbortSignal): Promise<TravelEstimate | null>;
  /** Returns the matrix of all pairs; a negative duration means that no route exists. May throw MatrixUnavailable. */
  matrix(positions: readonly Position[], signal?: AbortSignal): Promise<Matrix>;
}
