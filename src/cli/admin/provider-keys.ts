/** `admin provider rotate | revoke`: keys are shown once, and stored as hashes. */
import { createProviderKeys } from '../../engines/postgres/provider-keys.js';
import { readArgs, UsageError, type Command } from '../command.js';
import { withEngines } from '../engines.js';
import { expectProvider } from './provider-id.js';

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

export const rotateKey: Command = {
  name: 'provider rotate',
  usage: '<id> [--grace 24h]',
  summary: 'A new key, alone on its line; the old ones go on for the grace (s, m, h, d).',

  async run(args, context) {
    const {
      positionals: [id],
      values,
    } = readArgs(args, ['id'], { grace: { type: 'string', default: '24h' } });
    const grace = secondsOf(values.grace);
    return withEngines(context, { mustExist: true }, async ({ log, pool }) => {
      await expectProvider(log, id!);
      await context.print(await createProviderKeys(pool).rotate(id!, grace));
      context.note(`The old keys of ${id} are taken until ${new Date(Date.now() + grace * 1_000).toISOString()}.`);
    });
  },
};

export const revokeKeys: Command = {
  name: 'provider revoke',
  usage: '<id>',
  summary: 'Takes all keys of a provider away, at once.',

  async run(args, context) {
    const {
      positionals: [id],
    } = readArgs(args, ['id'], {});
    return withEngines(context, { mustExist: true }, async ({ log, pool }) => {
      await expectProvider(log, id!);
      const taken = await createProviderKeys(pool).revoke(id!);
      context.note(`${taken} ${taken === 1 ? 'key' : 'keys'} of ${id} revoked.`);
    });
  },
};

function secondsOf(text: string): number {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (amount === undefined) throw new UsageError('--grace takes a time such as 30m, 24h or 7d.');
  return Number(amount) * UNITS[unit!]!;
}
