/** `admin provider add | list | codes | network`. */
import { randomUUID } from 'node:crypto';
import { createProviderKeys } from '../../engines/postgres/provider-keys.js';
import { CARRIER_NAMES, carrierNamed } from '../../events/otep/carriers/carriers.js';
import { SOURCE_TYPES, type SourceType } from '../../events/otep/model.js';
import { NETWORKS } from '../../events/otep/networks.js';
import type { ProviderCommand } from '../../commands/providers/decider.js';
import { providerStream } from '../../events/providers/events.js';
import type { ProviderRow } from '../../projections/providers/read-model.js';
import { command, UsageError, type Context } from '../command.js';
import { withWorkbench } from '../engines.js';
import { expectProvider, isRegistered, operatorCause } from './provider-id.js';

export const addProvider = command({
  name: 'provider add',
  summary: 'Register a provider and print its key on a separate line.',

  args: ['id'],
  options: {
    name: { value: '<name>', about: 'Display name.' },
    kind: { value: '<source type>', about: SOURCE_TYPES.join(', ') },
    'may-open': { about: 'Allow the provider to create trackings.' },
  },

  async run({ positionals: [id], values }, context) {
    const name = values.name?.trim();
    if (!name) throw new UsageError('--name is missing.');
    if (!isSourceType(values.kind)) throw new UsageError(`--kind requires one of ${SOURCE_TYPES.join(', ')}.`);
    const kind = values.kind;
    return withWorkbench(context, async ({ engines, commands, catchUp }) => {
      if (await isRegistered(engines.log, id!))
        throw new Error(`The provider ${id} already exists; "provider rotate ${id}" creates a new key.`);
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
  summary:
    'List providers, one per line: id, kind, whether it may create trackings, keys in use, name, network if any.',

  async run(_given, context) {
    return withWorkbench(context, async ({ engines, catchUp }) => {
      await catchUp();
      const { rows } = await engines.pool.query<ProviderRow>('select * from providers.providers order by id');
      const keys = await createProviderKeys(engines.pool).inUse();
      for (const { id, kind, may_open, network, name } of rows)
        await context.print(
          [
            id,
            kind,
            may_open ? 'may open' : 'given only',
            counted(keys.get(id) ?? 0),
            name,
            ...(network ? [network] : []),
          ].join('\t'),
        );
    });
  },
});

export const chooseCodes = command({
  name: 'provider codes',
  summary: "Choose the carrier whose table maps the provider's raw codes; none: only its status mapping counts.",

  args: ['id', 'carrier'],

  async run({ positionals: [id, name] }, context) {
    const carrier = carrierNamed(name!);
    if (!carrier && name !== 'none')
      throw new UsageError(`There is no table ${name}. Use none, or one of ${CARRIER_NAMES.join(', ')}.`);
    const carrier_codes = carrier?.name ?? null;
    return changeProvider(id!, { do: 'chooseCodes', commandId: randomUUID(), carrier_codes }, context);
  },
});

export const setNetwork = command({
  name: 'provider network',
  summary: 'Make a provider a member of a network, whose public timelines are merged; none: of no network.',

  args: ['id', 'network'],

  async run({ positionals: [id, name] }, context) {
    const network = NETWORKS.find((one) => one === name) ?? null;
    if (!network && name !== 'none')
      throw new UsageError(`There is no network ${name}. Use none, or one of ${NETWORKS.join(', ')}.`);
    return changeProvider(id!, { do: 'setNetwork', commandId: randomUUID(), network }, context);
  },
});

const changeProvider = (id: string, change: ProviderCommand, context: Context): Promise<void> =>
  withWorkbench(context, async ({ engines, commands, catchUp }) => {
    await expectProvider(engines.log, id);
    const { changed, position } = await commands.providers(providerStream(id), change, operatorCause());
    await catchUp();
    context.note(!changed ? 'Nothing to change.' : `Done, position ${position}.`);
  });

const counted = (keys: number): string => `${keys} ${keys === 1 ? 'key' : 'keys'}`;

const isSourceType = (text: string | undefined): text is SourceType =>
  (SOURCE_TYPES as readonly (string | undefined)[]).includes(text);
