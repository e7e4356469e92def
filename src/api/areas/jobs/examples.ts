/** Example requests for jobs. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const JOB_EXAMPLES: Examples = {
  jobCancel: { path: { job_id: '3b0a4d52-93f5-5b5c-9f0e-3a4f0e5f5a11' }, body: { keep_result: false } },
};
