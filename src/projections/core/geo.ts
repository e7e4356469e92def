/** Positions on the earth as SQL conditions. Degrees are WGS 84. */
import { sql, type RawBuilder } from 'kysely';

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** A box in degrees. A box whose west is greater than its east crosses the antimeridian. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The position of a row: two SQL expressions that return degrees. */
interface At {
  readonly latitude: RawBuilder<unknown>;
  readonly longitude: RawBuilder<unknown>;
}

/** Mean radius of the earth, in metres. */
const EARTH_M = 6_371_008.8;
const METRES_PER_DEGREE = (EARTH_M * Math.PI) / 180;

/** SQL expression: the great-circle distance in metres. */
export const metresFrom = ({ latitude, longitude }: Position, at: At): RawBuilder<number> =>
  sql<number>`${2 * EARTH_M}::float8 * asin(least(1, sqrt(
    sin(radians(${at.latitude} - ${latitude}::float8) / 2) ^ 2
    + cos(radians(${latitude}::float8)) * cos(radians(${at.latitude})) * sin(radians(${at.longitude} - ${longitude}::float8) / 2) ^ 2)))`;

/**
 * SQL condition: the row is at most `metres` away. An index finds the latitude band, and the distance then filters
 * these rows.
 */
export const isNear = (position: Position, metres: number, at: At): RawBuilder<boolean> => {
  const band = metres / METRES_PER_DEGREE;
  return sql<boolean>`(${at.latitude} between ${position.latitude - band}::float8 and ${position.latitude + band}::float8
    and ${metresFrom(position, at)} <= ${metres}::float8)`;
};

export const isInBox = ({ west, south, east, north }: Box, at: At): RawBuilder<boolean> => {
  const inLongitudeBand = sql`${at.longitude} >= ${west}::float8`;
  const before = sql`${at.longitude} <= ${east}::float8`;
  return sql<boolean>`(${at.latitude} between ${south}::float8 and ${north}::float8 and ${west <= east ? sql`(${inLongitudeBand} and ${before})` : sql`(${inLongitudeBand} or ${before})`})`;
};

/** The great-circle distance in metres, calculated in this process. */
export function metresBetween(a: Position, b: Position): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const up = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2;
  const sinHalfLongitudeSquared = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  const share = up + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * sinHalfLongitudeSquared;
  return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(share)));
}
