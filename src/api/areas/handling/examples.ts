/** Examples of scans. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

export const HANDLING_EXAMPLES: Examples = {
  wmsOps: {
    body: {
      device_id: 'gun-1',
      ops: [
        {
          op_id: '93fcf525-81fd-448d-ab32-ee2eeda83eb5',
          seq: 1,
          at: '2030-12-02T06:10:00Z',
          do: 'receive',
          code: 'DEMOASSIGNABLE03X3',
          warehouse_id: 1,
          location: 'A-1',
        },
      ],
    },
  },
  wmsConflictSettle: {
    path: { op_id: '93fcf525-81fd-448d-ab32-ee2eeda83eb5' },
    body: { device_id: 'gun-1', decision: 'discard', reason: 'Scanned by mistake' },
  },
};
