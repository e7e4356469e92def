/** Examples for dispatch settings and decisions. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

export const DISPATCH_EXAMPLES: Examples = {
  dispatchSettingsUpdate: { body: { held_days: 1, idle_minutes: 120, silent_hours: 24, silent_minutes: 30 } },
  dispatchDecide: {
    path: { item_id: 'unplanned:3' },
    body: { version: 'd41880cf', decision: 'contacted', contacted: 'recipient', note: 'Back tomorrow' },
  },
  dispatchReopen: { path: { item_id: 'unplanned:3' }, body: { note: 'He called again' } },
};
