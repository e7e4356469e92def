/** The length of the drive between two stops, for prices by distance. */
import { MatrixUnavailable, type Distances } from '../../../solvers/distances/distances.js';
import { Haversine } from '../../../solvers/distances/haversine.js';
import { ApiError } from '../../core/errors.js';

interface Degrees {
  readonly latitude: number;
  readonly longitude: number;
}

const MILLIONTHS = 1_000_000;
const inMillionths = ({ latitude, longitude }: Degrees) => ({
  latitude: Math.round(latitude * MILLIONTHS),
  longitude: Math.round(longitude * MILLIONTHS),
});

/**
 * Kilometres with three decimals; undefined if no road connects the stops. `roadFactor`: of the card, for great circles.
 * Throws MATRIX_UNAVAILABLE.
 */
export type RoadDistance = (from: Degrees, to: Degrees, roadFactor: string) => Promise<number | undefined>;

/** `map`: the road engine; absent: great circles times the factor of the card. */
export const createRoadDistance =
  (map?: Distances): RoadDistance =>
  async (from, to, roadFactor) => {
    const distances = map ?? new Haversine({ roadFactor: Number(roadFactor) });
    try {
      const found = await distances.between(inMillionths(from), inMillionths(to));
      return found ? found.metres / 1_000 : undefined;
    } catch (error) {
      throw error instanceof MatrixUnavailable ? new ApiError('MATRIX_UNAVAILABLE', { cause: error }) : error;
    }
  };
