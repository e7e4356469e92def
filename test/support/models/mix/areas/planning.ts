/** Random planning settings and dispatch settings. */
import { planningSettings } from '../../../../../src/commands/dispatch/settings.js';
import { planning } from '../../../../../src/commands/planning/decider.js';
import {
  dispatchSettingsSchema,
  planningSettingsSchema,
  planningStream,
} from '../../../../../src/events/planning/events.js';
import { generator } from '../generator.js';

export const MIX = generator({
  setPlanning: ({ send, business }, pick) =>
    send(planning, planningStream(business), {
      id: business,
      business,
      do: 'set',
      settings: pick.like(planningSettingsSchema),
      by: 1,
    }),
  setDispatch: ({ send, business }, pick) =>
    send(planningSettings, planningStream(business), {
      id: business,
      business,
      do: 'set',
      settings: pick.like(dispatchSettingsSchema),
      by: 1,
    }),
});
