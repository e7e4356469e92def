/** The map layer of drivers: last positions of drivers on duty. It is never public. */
import type { DriverPlaces } from '../../../projections/riders/places.js';
import type { RouteViewer } from '../../../projections/routes/queries.js';
import { feature, type Feature } from './feature.js';

export interface DriverSources {
  readonly driverPlaces: DriverPlaces;
}

/** A position older than this is not shown, because the driver may be anywhere. */
const MAX_POSITION_AGE_MS = 15 * 60_000;

export interface DriversQuery {
  readonly fleet_ids?: readonly number[] | undefined;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/**
 * Returns at most `most` points, plus one more if there are more. Drivers see only themselves, contractors only the
 * drivers of their fleets.
 */
export async function driverFeatures(
  { fleet_ids: fleetIds, time }: DriversQuery,
  { business, brokerId, driverId }: RouteViewer,
  { driverPlaces }: DriverSources,
  limit: number,
): Promise<Feature[]> {
  const seenSince = new Date(time - MAX_POSITION_AGE_MS);
  const places = await driverPlaces({
    business,
    fleetIds,
    contractorId: brokerId,
    driverId,
    seenSince,
    limit: limit + 1,
  });
  return places.map(({ driver_id, at, latitude, longitude, accuracy_m, route_id, online }) =>
    feature(
      driver_id,
      { type: 'Point', coordinates: [longitude, latitude] },
      { driver_id, at: at.toISOString(), accuracy_m, route_id, online },
    ),
  );
}
