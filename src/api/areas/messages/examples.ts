/** Example requests for push messages. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const MESSAGE_EXAMPLES: Examples = {
  pushTokenSet: { path: { device_id: 'phone-1' }, body: { token: 'fcm-4b1c9d7e', platform: 'android' } },
};
