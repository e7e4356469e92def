/** How old the first event is that no relay has sent yet. */
import { lagOf, type LagOptions } from '../projections/core/lag.js';
import { RELAY } from './relay.js';

/** Milliseconds; 0 when everything was sent. Throws when database or log do not answer. */
export const relayLag = (options: LagOptions): Promise<number> => lagOf(RELAY, options);
