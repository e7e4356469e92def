/** `admin erase`: erases the personal data of a person, for any business or carrier. */
import { EVENT_TYPES, OWN_SUBJECTS } from '../../areas/index.js';
import { randomUUID } from 'node:crypto';
import { createErasure } from '../../areas/wiring/erasure.js';
import { createDirectory } from '../../projections/trackings/directory.js';
import { command } from '../command.js';
import { withWorkbench } from '../engines.js';
import { operatorCause } from './provider-id.js';

export const erase = command({
  name: 'erase',
  confirms: true,
  summary:
    'Erase a person permanently: destroy the keys of the order and its parcels, the parcel, or the account. Cannot be undone.',

  args: ['subject'],

  async run({ positionals: [text] }, context) {
    return withWorkbench(context, async ({ engines, commands, queries, progress, catchUp }) => {
      await catchUp();
      const { subjects, erasing } = createErasure({
        types: EVENT_TYPES,
        subjectPrefixes: OWN_SUBJECTS,
        engines,
        commands,
        progress,
        directory: createDirectory({ queries, log: engines.log, progress }),
      });
      const [found, ...others] = await subjects.find(text!);
      if (!found) throw new Error('No such order, account or parcel exists.');
      if (others.length > 0)
        throw new Error(
          `Several parcels have this number: specify one of ${[found, ...others].map(({ subject }) => subject).join(', ')}.`,
        );
      await context.confirm(`Erase ${found.subject} permanently?`);
      const { finished } = await erasing.erase(found, randomUUID(), {
        ...operatorCause(),
        ...(found.business !== undefined && { business: String(found.business) }),
      });
      await catchUp();
      await context.print(found.subject);
      if (!finished)
        context.note(
          'A capture that contains its events is still running: the service destroys the key of the capture when it ends.',
        );
    });
  },
});
