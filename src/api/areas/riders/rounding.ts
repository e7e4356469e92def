/** Rounds positions, for viewers who must not see the exact place. */

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

const METRES = 100;
const METRES_A_DEGREE = 111_195;
const DIGITS = 6;

const toStep = (value: number, step: number): number => Number((Math.round(value / step) * step).toFixed(DIGITS));

/** Returns the nearest point of a grid with a spacing of about 100 metres. */
export function toHundredMetres({ latitude, longitude }: Place): Place {
  const step = METRES / METRES_A_DEGREE;
  const north = toStep(latitude, step);
  // Uses the rounded latitude, so that the grid reveals nothing of the exact one.
  const shrink = Math.max(0.01, Math.cos((north * Math.PI) / 180));
  return { latitude: north, longitude: toStep(longitude, step / shrink) };
}
