/** The native format: the timeline itself. */
import type { Format } from './format.js';

export const otep: Format = {
  name: 'otep',
  mediaType: 'application/json',
  standard: 'Open Tracking Event Protocol',
  version: '0.1',
  revision: 2,
  direction: 'in and out',
  lost: [],
  serialize: ({ timeline, retracted, planned, carrierMatch, life }) => ({
    ...timeline,
    ...(planned && { planned_delivery: planned }),
    ...(retracted.length > 0 && { retracted }),
    ...(life && { life: life.index, lives: life.count }),
    ...(carrierMatch && { carrier: carrierMatch.carrier }),
    ...(carrierMatch && carrierMatch.alternatives.length > 0 && { alternatives: carrierMatch.alternatives }),
    ...(carrierMatch?.carriers && { carriers: carrierMatch.carriers }),
  }),
  events: ({ timeline }) => timeline.events,
};
