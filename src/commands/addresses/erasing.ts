/** Removes the entries of address books whose personal data was erased. */
import { ADDRESS_PREFIX } from '../../events/addresses/events.js';
import { derivedId } from '../../events/otep/identity.js';
import { DomainError } from '../core/domain-error.js';
import type { Handle } from '../core/handle.js';
import type { Forget } from '../privacy/erasing.js';
import type { AddressCommand } from './decider.js';

/** Without the personal data, an entry has no use. A repeated call changes nothing. */
export const createEraseEntries =
  (handle: Handle<AddressCommand, undefined>): Forget =>
  async (subjects, cause) => {
    for (const stream of subjects.filter((subject) => subject.startsWith(ADDRESS_PREFIX))) {
      const id = Number(stream.slice(ADDRESS_PREFIX.length));
      const command = {
        do: 'erase',
        id,
        business: Number(cause.business),
        commandId: derivedId('erased', stream),
      } as const;
      await handle(stream, command, cause).catch((error: unknown) => {
        if (!(error instanceof DomainError && error.code === 'ADDRESS_NOT_FOUND')) throw error;
      });
    }
  };
