/**
 * The read model of ended jobs, for the dispatch boards. The jobs themselves are in a work table and are deleted later.
 */
import { JOB_PREFIX, JobFinished } from '../../events/jobs/events.js';
import { code, flag, integer, optional, text, type RowOf } from '../core/columns.js';
import { recordedAt, startsWith, table } from '../core/table.js';

const columns = {
  id: code(),
  business: integer(),
  owner: integer(),
  kind: text(),
  /** The stream that the job is about. */
  subject: optional(text()),
  state: text(),
  failure: optional(text()),
  rejected: integer(),
  dry_run: flag(),
  ended_at: code(),
};
export type JobEndRow = RowOf<typeof columns>;

export const jobEnds = table({
  name: 'job_ends',
  version: 1,
  prefixes: [JOB_PREFIX],
  columns,
  indexes: ['(business, ended_at)'],
  fold: startsWith(
    JobFinished,
    ({ job_id, business, owner, kind, subject, state, code, rejected, dry_run = false }, event): JobEndRow => ({
      id: job_id,
      business,
      owner,
      kind,
      subject: subject ?? null,
      state,
      failure: code ?? null,
      rejected: rejected ?? 0,
      dry_run,
      ended_at: recordedAt(event),
    }),
  ),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'job_ends', { 'job_ends.job_ends': JobEndRow }> {}
}
