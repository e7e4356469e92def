/** Rounds positions, for viewers who must not see the exact place. */

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

const GRID_METRES = 100;
const METRES_PER_DEGREE = 111_195;
const DECIMALS = 6;

const roundToStep = (value: number, step: number): number =>
  Number((Math.round(value / step) * step).toFixed(DECIMALS));

/** Returns the nearest point of a grid with a spacing of about 100 metres. */
export function roundToHundredMetres({ latitude, longitude }: Place): Place {
  const step = GRID_METRES / METRES_PER_DEGREE;
  const north = roundToStep(latitude, step);
  // Uses the rounded latitude, so that the grid reveals nothing of the exact one.
  const longitudeScale = Math.max(0.01, Math.cos((north * Math.PI) / 180));
  return { latitude: north, longitude: roundToStep(longitude, step / longitudeScale) };
}
