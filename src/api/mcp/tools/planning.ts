/** Tools about routes, drivers, order figures and addresses. */
import type { ToolDefinition } from '../definition.js';

export const PLANNING_TOOLS: readonly ToolDefinition[] = [
  {
    category: 'routes',
    name: 'get_routes',
    title: 'List routes',
    operation: 'routes',
    fields: {
      'routes[]': 'id,name,schedule_date,status,driver_id,driver_name,order_count,planned_start_at,planned_end_at',
    },
    description: 'Routes with status, driver and number of orders.',
  },
  {
    category: 'routes',
    name: 'get_route_detail',
    title: 'One route',
    operation: 'route',
    fields: { '': '*' },
    description: 'One route by its route_id, with its stops and orders.',
  },
  {
    category: 'routes',
    name: 'get_drivers',
    title: 'List drivers',
    operation: 'drivers',
    fields: { 'drivers[]': '*' },
    description: 'Drivers of the business: ids, names, capacities.',
  },
  {
    category: 'routes',
    name: 'get_driver_routes_today',
    title: "A driver's day",
    operation: 'driverRoutes',
    arguments: { schedule_date: { description: 'Day. Default: today.' } },
    description: 'The orders that are assigned to a driver on a date; today where none is given.',
  },
  {
    category: 'addresses',
    name: 'search_address',
    title: 'Search addresses',
    operation: 'addressesSearch',
    arguments: { query: { description: 'Postal code, street or town.', example: 'Hauptstrasse Hamburg' } },
    description: 'Find addresses by postal code or free text.',
  },
  {
    category: 'analytics',
    name: 'daily_digest',
    title: 'Digest of today',
    operation: 'analyticsDigest',
    arguments: { schedule_date: { description: 'Default: today.' } },
    description:
      'Today in one answer, of the orders scheduled for today: totals, by status, exceptions, pickups that wait. Figures of orders by the day they were created: get_orders_summary.',
  },
  {
    category: 'analytics',
    name: 'get_orders_summary',
    title: 'Figures of a period',
    operation: 'analyticsSummary',
    arguments: { period: { description: 'Days that are counted, up to now.' } },
    description:
      'Aggregates over the orders that were created today, this week or this month. Figures of the day by schedule date: daily_digest.',
  },
];
