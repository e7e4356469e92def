/** Tracking tools, some of which need no token. */
import type { ToolDefinition } from '../definition.js';

export const TRACK_PACKAGE: ToolDefinition = {
  name: 'track_package',
  title: 'Track a package',
  category: 'tracking',
  operation: 'trackingPublic',
  description:
    'Delivery status and events of one parcel by its tracking number. Needs no token. Use it when a person asks where a parcel is. For the proof of delivery, the owner calls otep_client_tracking.',
};

export const OTEP_TRACKING = {
  title: 'OTEP timeline',
  category: 'tracking',
  operation: 'otepTracking',
  arguments: {
    tracking_number: {
      description: 'Tracking number, SSCC or piece id. The owner can also use an order or package id.',
    },
    life: { description: 'Selects one parcel of a reused number: 1 is the oldest. Default: the latest.' },
  },
  fixed: { format: undefined, entity: undefined },
  description:
    'Timeline of one tracking number as an Open Tracking Event Protocol document: subject, status, every event with code, time and place. Use it when a program reads the result.',
} as const satisfies Omit<ToolDefinition, 'name'>;

export const TRACKING_TOOLS: readonly ToolDefinition[] = [
  TRACK_PACKAGE,
  { name: 'otep_tracking', ...OTEP_TRACKING },
  {
    name: 'otep_client_tracking',
    title: 'OTEP timeline of your own shipment',
    category: 'tracking',
    operation: 'otepClientTracking',
    description:
      "Full OTEP timeline of one of the caller's shipments, including data that the public timeline omits. Shipments of other owners are not found.",
  },
];
