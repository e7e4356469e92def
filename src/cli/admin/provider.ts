/** `admin provider add | list`. */
import { randomUUID } from 'node:crypto';
import { createProviderKeys } from '../../engines/postgres/provider-keys.js';
import { SOURCE_TYPES, type SourceType } from '../../events/otep/model.js';
import { providerStream } from '../../events/providers/events.js';
import type { ProviderRow } from '../../projections/providers/read-model.js';
import { command, UsageError } from '../command.js';
import { withWorkbench } from '../engines.js';
import { isRegistered, operatorCause } from './provider-id.js';

export const addProvider = command({
  name: 'provider add',
  summary: 'Registers a provider and prints its key, alone on its line.',

  args: ['id'],
  options: {
    name: { value: '<name>', about: 'As people see it.' },
    kind: { value: '<source type>', about: SOURCE_TYPES.join(', ') },
    'may-open': { about: 'It may open new trackings.' },
  },

  async run({ positionals: [id], values }, context) {
    const name = values.name?.trim();
    if (!name) throw new UsageError('--name is missing.');
    if (!isSourceType(values.kind)) throw new UsageError(`--kind takes one of ${SOURCE_TYPES.join(', ')}.`);
    const kind = values.kind;
    return withWorkbench(context, async ({ engines, commands, catchUp }) => {
      if (await isRegistered(engines.log, id!))
        throw new Error(`There is a provider ${id} already; "provider rotate ${id}" gives it a new key.`);
      await commands.providers(
        providerStream(id!),
        { do: 'register', commandId: randomUUID(), name, kind, may_open: values['may-open'] },
        operatorCause(),
      );
      // Wait for the read models, so that the printed key works immediately.
      await catchUp();
      await context.print(await createProviderKeys(engines.pool).add(id!));
    });
  },
});

export const listProviders = command({
  name: 'provider list',
  summary: 'Providers, one a line: id, kind, whether it may open trackings, keys in use, name.',

  async run(_given, context) {
    return withWorkbench(context, async ({ engines, catchUp }) => {
      await catchUp();
      const { rows } = await engines.pool.query<ProviderRow>('select * from providers.providers order by id');
      const keys = await createProviderKeys(engines.pool).inUse();
      for (const { id, kind, may_open, name } of rows)
        await context.print(
          [id, kind, may_open ? 'may open' : 'given only', `${counted(keys.get(id) ?? 0)}`, name].join('\t'),
        );
    });
  },
});

const counted = (keys: number): string => `${keys} ${keys === 1 ? 'key' : 'keys'}`;

const isSourceType = (text: string | undefined): text is SourceType =>
  (SOURCE_TYPES as readonly (string | undefined)[]).includes(text);
