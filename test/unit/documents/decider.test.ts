/** Documents: a file is issued once and linked once. */
import { expect } from 'chai';
import { documents, links, type IssueCommand, type LinkCommand } from '../../../src/commands/documents/decider.js';
import { given } from '../../support/checks/given.js';

const fingerprint = { sha256: 'ab', kind: 'label', number: 'L-1', business: 1 } as const;
const issue: IssueCommand = { ...fingerprint, bytes: 10, pages: 1, made_by: 'label@1' };
const link: LinkCommand = { ...fingerprint, requested_by: 5, subjects: ['order-1', 'order-2'] };

describe('deciders of documents', () => {
  it('issue a file once; two processes derive the same event id', () => {
    const issued = given(documents).when(issue);
    expect(issued.facts).to.deep.equal([{ type: 'DocumentIssued', data: issue }]);
    expect(given(documents).when(issue).ids).to.deep.equal(issued.ids);
    expect(issued.then.when(issue).types).to.deep.equal([]);
  });

  it('link it with one event per subject, once', () => {
    const linked = given(links).when(link);
    expect(linked.facts.map(({ data }) => (data as { subject: string }).subject)).to.deep.equal(['order-1', 'order-2']);
    expect(new Set(linked.ids).size).to.equal(2);
    expect(linked.then.when(link).types).to.deep.equal([]);
  });
});
