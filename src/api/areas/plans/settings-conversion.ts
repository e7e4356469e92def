/** Planning settings: conversion between the API and stored events. */
import type { PlanningSettings } from '../../../events/planning/events.js';
import type { PlanningSettingsResponse } from './settings-shape.js';

/** Thousandths of the currency as decimal text with two or three digits: `0.40`, `0.125`. */
export const decimalOf = (thousandths: number): string => (thousandths / 1_000).toFixed(thousandths % 10 === 0 ? 2 : 3);
/** Decimal text of the currency in thousandths. */
export const thousandthsOf = (text: string): number => Math.round(Number(text) * 1_000);

export function toSettingsResponse({
  default_shift: { start, end, breaks, ...shift },
  default_start,
  default_end,
  speeds,
  weights: { per_route, per_km, per_hour },
  ...otherFields
}: PlanningSettings): PlanningSettingsResponse {
  return {
    ...otherFields,
    default_shift: {
      ...shift,
      start_time: start,
      end_time: end,
      breaks: breaks.map(({ duration_s, earliest, latest }) => ({
        duration_s,
        earliest_time: earliest,
        latest_time: latest,
      })),
    },
    ...(default_start !== undefined && { default_start_warehouse_id: default_start }),
    ...(default_end !== undefined && { default_end_warehouse_id: default_end }),
    speeds: speeds.map(({ metres, kmh }) => ({ distance_m: metres, speed_kmh: kmh })),
    prices: { per_route: decimalOf(per_route), per_km: decimalOf(per_km), per_hour: decimalOf(per_hour) },
  };
}

export function toStoredSettings({
  default_shift: { start_time, end_time, breaks, ...shift },
  default_start_warehouse_id: start,
  default_end_warehouse_id: end,
  speeds,
  prices: { per_route, per_km, per_hour },
  ...otherFields
}: PlanningSettingsResponse): PlanningSettings {
  return {
    ...otherFields,
    default_shift: {
      ...shift,
      start: start_time,
      end: end_time,
      breaks: breaks.map(({ duration_s, earliest_time, latest_time }) => ({
        duration_s,
        earliest: earliest_time,
        latest: latest_time,
      })),
    },
    ...(start !== undefined && { default_start: start }),
    ...(end !== undefined && { default_end: end }),
    speeds: speeds.map(({ distance_m, speed_kmh }) => ({ metres: distance_m, kmh: speed_kmh })),
    weights: { per_route: thousandthsOf(per_route), per_km: thousandthsOf(per_km), per_hour: thousandthsOf(per_hour) },
  };
}
