/** Example requests for a plan of a day. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const PLAN_EXAMPLES: Examples = {
  routePlanCreate: {
    body: {
      order_ids: [5, 11, 12],
      schedule_date: '2030-12-02',
      budget: { time_limit_s: 1 },
      auto_commit: false,
      wait_s: 20,
    },
  },
  routePlanCommit: { path: { route_plan_id: 1 }, body: { on_conflict: 'skip', wait_s: 20 } },
  routeSequenceSet: { path: { route_id: 1 }, body: { stops: [{ order_id: 14 }, { order_id: 13 }] } },
  routePinsUpdate: { path: { route_id: 1 }, body: { pins: [{ order_id: 14, pin: 'driver' }] } },
};

/** Examples of the area `planning`. */
export const PLANNING_EXAMPLES: Examples = {
  planningSettingsUpdate: {
    body: {
      default_service_s: 240,
      default_shift: {
        start_time: '08:00',
        end_time: '17:00',
        breaks: [{ duration_s: 1800, earliest_time: '11:30', latest_time: '13:30' }],
      },
      default_start_warehouse_id: 1,
      eta_window_minutes: 60,
    },
  },
};
