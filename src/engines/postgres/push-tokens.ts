/** Push tokens of users' devices, stored in a table, not in events. */
import type { Pool } from 'pg';
import type { Vault } from '../vault.js';

export const PLATFORMS = ['ios', 'android'] as const;

export interface PushTokens {
  /** Replaces the token of the device. At most ten devices per user are kept: the devices with the newest tokens. */
  set(userId: number, deviceId: string, platform: (typeof PLATFORMS)[number], token: string): Promise<void>;
  of(userId: number): Promise<readonly string[]>;
  forget(userIds: readonly number[]): Promise<void>;
}

const MAX_DEVICES = 10;
const contextOf = (userId: number, deviceId: string): string => `push ${userId} ${deviceId}`;

export const createPushTokens = (pool: Pool, vault: Vault): PushTokens => ({
  async set(userId, deviceId, platform, token) {
    await pool.query(
      `insert into access.push_tokens (user_id, device_id, platform, token) values ($1, $2, $3, $4)
       on conflict (user_id, device_id) do update set platform = excluded.platform, token = excluded.token, set_at = now()`,
      [userId, deviceId, platform, vault.seal(Buffer.from(token), contextOf(userId, deviceId))],
    );
    await pool.query(
      `delete from access.push_tokens where user_id = $1 and device_id not in
        (select device_id from access.push_tokens where user_id = $1 order by set_at desc, device_id limit $2)`,
      [userId, MAX_DEVICES],
    );
  },
  async of(userId) {
    const { rows } = await pool.query<{ device_id: string; token: Buffer }>(
      'select device_id, token from access.push_tokens where user_id = $1 order by device_id',
      [userId],
    );
    return rows.map(({ device_id, token }) => vault.open(token, contextOf(userId, device_id)).toString());
  },
  async forget(userIds) {
    await pool.query('delete from access.push_tokens where user_id = any ($1)', [userIds]);
  },
});
