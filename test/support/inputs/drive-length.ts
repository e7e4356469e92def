/**
 * Returns the length of a drive in metres by the documented formula, great-circle distance times 1.3. It does not use
 * the service's own code.
 */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

export function distanceOf(from: Place, to: Place): number {
  const radians = Math.PI / 180;
  const cosine =
    Math.sin(from.latitude * radians) * Math.sin(to.latitude * radians) +
    Math.cos(from.latitude * radians) *
      Math.cos(to.latitude * radians) *
      Math.cos((to.longitude - from.longitude) * radians);
  return 6_371_009 * Math.acos(Math.min(1, cosine)) * 1.3;
}
