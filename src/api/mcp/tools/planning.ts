/** Tools about routes, drivers, order figures and addresses. */
import { z } from 'zod';
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
    category: 'routes',
    name: 'remove_orders_from_route',
    title: 'Remove orders from a route',
    operation: 'routeRemoveOrders',
    isBeyondSpecification: true,
    fields: { route: 'id,name,status,order_count' },
    description:
      'Remove orders from their route, for example before hold_order or reroute_to_address. Orders whose delivery has not started can be planned again. Returns the number of removed orders, and why others stay.',
  },
  {
    category: 'routes',
    name: 'print_route_labels',
    title: 'Print the labels of a route',
    operation: 'routeLabels',
    isBeyondSpecification: true,
    shape: {
      format: z
        .enum(['link', 'base64', 'pdf'])
        .default('link')
        .describe('`link`: URL of the PDF; `base64`: PDF in JSON, large; `pdf`: resource.'),
    },
    link: { member: 'url', name: 'labels.pdf', mimeType: 'application/pdf' },
    description:
      'Get the labels of all orders of a route as one PDF, in stop sequence. Returns a link by default; the download needs the same authorization. One PDF: up to 100 orders.',
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
