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
    description: 'List routes with status, driver and number of orders.',
  },
  {
    category: 'routes',
    name: 'get_route_detail',
    title: 'Get a route',
    operation: 'route',
    fields: { '': '*' },
    description: 'Get one route by its route_id, with its stops and orders.',
  },
  {
    category: 'routes',
    name: 'get_drivers',
    title: 'List drivers',
    operation: 'drivers',
    fields: { 'drivers[]': '*' },
    description: 'List drivers of the business: ids, names, capacities.',
  },
  {
    category: 'routes',
    name: 'get_driver_routes_today',
    title: "List a driver's routes",
    operation: 'driverRoutes',
    arguments: { schedule_date: { description: 'Day. Default: today.' } },
    description: 'List the routes of one driver on a day (default: today), with their orders.',
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
    title: 'Daily digest',
    operation: 'analyticsDigest',
    arguments: { schedule_date: { description: 'Default: today.' } },
    description:
      'Figures of the orders scheduled for one day (default: today): totals, counts by status, exceptions, open pickups. For figures by creation date use get_orders_summary.',
  },
  {
    category: 'analytics',
    name: 'get_orders_summary',
    title: 'Figures of a period',
    operation: 'analyticsSummary',
    arguments: { period: { description: 'Period of creation, up to now.' } },
    description:
      'Figures of the orders created today, this week or this month. For figures by schedule date use daily_digest.',
  },
];
