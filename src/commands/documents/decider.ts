/** Registers each document once, and links it once to each of its subjects, even if it is printed several times. */
import type { z } from 'zod';
import type { Fact } from '../../events/core/codec.js';
import { DocumentIssued, DocumentLinked } from '../../events/documents/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider } from '../core/decider.js';

export type IssueCommand = z.infer<typeof DocumentIssued.schema>;

export interface LinkCommand extends Omit<z.infer<typeof DocumentLinked.schema>, 'subject'> {
  /** Key subjects, such as `order-<id>`. */
  readonly subjects: readonly string[];
}

/** Event ids are derived from the file, so two processes that issue it at the same time append the same event. */
const once = <Command>(factsOf: (command: Command) => readonly Fact[]): Decider<boolean, Command, undefined> => ({
  initial: () => false,
  decide: (isThere, command) => ({ facts: isThere ? [] : factsOf(command), reply: undefined }),
  evolve: () => true,
});

export const documents = once<IssueCommand>((data) => [
  { id: derivedId('document issued', data.sha256), type: DocumentIssued as Fact['type'], data },
]);

export const links = once<LinkCommand>(({ subjects, ...link }) =>
  subjects.map((subject) => ({
    id: derivedId('document linked', link.sha256, subject),
    type: DocumentLinked as Fact['type'],
    data: { ...link, subject },
    subject,
  })),
);
