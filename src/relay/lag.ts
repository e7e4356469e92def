/** Age of the first event that no relay has sent yet. */
import { lagOf, type LagOptions } from '../projections/core/lag.js';
import { RELAY } from './relay.js';

/** Returns milliseconds; 0 if all events were sent. Throws if the database or the log does not respond. */
export const relayLag = (options: LagOptions): Promise<number> => lagOf(RELAY, options);
