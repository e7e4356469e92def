/** Tracking: also without a token. */
import type { ToolDefinition } from '../definition.js';

export const TRACK_PACKAGE: ToolDefinition = {
  name: 'track_package',
  title: 'Track a package',
  category: 'tracking',
  operation: 'trackingPublic',
  description:
    'Delivery status and event timeline of one parcel by its tracking number, for anybody; it shows no proof of delivery, which the full timeline (otep_client_tracking) has for its owner. Choose it when a person asks where a parcel is.',
};

export const OTEP_TRACKING = {
  title: 'OTEP timeline',
  category: 'tracking',
  operation: 'otepTracking',
  fixed: { format: undefined },
  description:
    'The unified timeline (Open Tracking Event Protocol) of one tracking number: subject, status, every event with code, time and place. Choose it when a program reads the answer.',
} as const satisfies Omit<ToolDefinition, 'name'>;

export const TRACKING_TOOLS: readonly ToolDefinition[] = [
  TRACK_PACKAGE,
  { name: 'otep_tracking', ...OTEP_TRACKING },
  {
    name: 'otep_client_tracking',
    title: 'OTEP timeline of an own shipment',
    category: 'tracking',
    operation: 'otepClientTracking',
    description:
      "The full OTEP timeline of one of the caller's own shipments, with what the public timeline leaves out. A shipment of somebody else is not found.",
  },
];
