/** Random completions of jobs, each reported once or twice. */
import { jobs } from '../../../../../src/commands/jobs/decider.js';
import { JobFinished, jobStream } from '../../../../../src/events/jobs/events.js';
import { generator } from '../generator.js';

export const MIX = generator({
  finish: ({ send, id, business }, pick) => {
    const job_id = `00000000-0000-4000-8000-${String(id(pick.of(9))).padStart(12, '0')}`;
    return send(jobs, jobStream(job_id), { ...pick.like(JobFinished.schema), job_id, business });
  },
});
