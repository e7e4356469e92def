/** Examples for manifests. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

export const MANIFEST_EXAMPLES: Examples = {
  labelOrdersSubmitInformation: { body: { order_ids: [1] } },
  labelOrdersEndDay: { body: {} },
};
