/** `admin provider rotate | revoke`: a key is shown once and stored as a hash. */
import { createProviderKeys } from '../../engines/postgres/provider-keys.js';
import { command, UsageError } from '../command.js';
import { withEngines } from '../engines.js';
import { expectProvider } from './provider-id.js';

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

export const rotateKey = command({
  name: 'provider rotate',
  summary: 'Print a new key on a separate line. The old keys stay valid for the grace period (s, m, h, d).',

  args: ['id'],
  options: {
    grace: { value: '<time>', about: 'Time for which the old keys stay valid: 30m, 24h, 7d.', default: '24h' },
  },

  async run({ positionals: [id], values }, context) {
    const grace = secondsOf(values.grace);
    return withEngines(context, { mustExist: true }, async ({ log, pool }) => {
      await expectProvider(log, id!);
      await context.print(await createProviderKeys(pool).rotate(id!, grace));
      context.note(`The old keys of ${id} are valid until ${new Date(Date.now() + grace * 1_000).toISOString()}.`);
    });
  },
});

export const revokeKeys = command({
  name: 'provider revoke',
  summary: 'Revoke all keys of a provider immediately.',

  args: ['id'],

  async run({ positionals: [id] }, context) {
    return withEngines(context, { mustExist: true }, async ({ log, pool }) => {
      await expectProvider(log, id!);
      const taken = await createProviderKeys(pool).revoke(id!);
      context.note(`${taken} ${taken === 1 ? 'key' : 'keys'} of ${id} revoked.`);
    });
  },
});

function secondsOf(text: string): number {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (amount === undefined) throw new UsageError('--grace requires a time such as 30m, 24h or 7d.');
  return Number(amount) * UNITS[unit!]!;
}
