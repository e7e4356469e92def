/** Jobs: each ends once. */
import { expect } from 'chai';
import { jobs, type JobCommand } from '../../../src/commands/jobs/decider.js';
import { given } from '../../support/checks/given.js';

const end = (state: JobCommand['state']): JobCommand => ({
  job_id: 'j1',
  kind: 'import',
  business: 1,
  owner: 5,
  state,
});

describe('decider of jobs', () => {
  it('records the first end, with an id that every process derives', () => {
    const ended = given(jobs).when(end('succeeded'));
    expect(ended.facts).to.deep.equal([{ type: 'JobFinished', data: end('succeeded') }]);
    expect(given(jobs).when(end('failed')).ids).to.deep.equal(ended.ids);
    expect(ended.then.when(end('failed')).types).to.deep.equal([]);
  });
});
