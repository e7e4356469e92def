/** Accounts, their API keys and the settings of their users, in the random mix. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { AccountCommand } from '../../../../src/commands/accounts/decider.js';
import { accountStream, accountSubject } from '../../../../src/events/accounts/events.js';
import { contractorStream } from '../../../../src/events/contractors/events.js';
import { driverStream } from '../../../../src/events/drivers/events.js';
import { createAccountQueries } from '../../../../src/projections/accounts/queries.js';
import { createDatabase } from '../../../../src/projections/core/database.js';
import { CAUSE } from '../../worlds/test-core.js';
import { accepts, type Area, type World } from './world.js';

const USERS = 3;
/** First id of the run's users, above the ids of its orders. */
const FIRST = 100;

export const accountStep = fc.record({
  act: fc.constantFrom(
    'open',
    'open',
    'change',
    'enable',
    'disable',
    'passwordChanged',
    'createKey',
    'createKey',
    'createKey',
    'revokeKey',
    'revokeKey',
    'work',
    'work',
    'erase',
  ),
  user: fc.integer({ min: 1, max: USERS }),
  key: fc.integer({ min: 1, max: 2 }),
  value: fc.integer({ min: 1, max: 3 }),
});
export type AccountStep = typeof accountStep extends fc.Arbitrary<infer T> ? T : never;

interface PlainAccount {
  status: 'active' | 'disabled';
  name: string;
  erased: boolean;
  /** Valid keys, oldest first. */
  keys: { readonly id: string; readonly name: string }[];
}

export class Accounts implements Area<AccountStep> {
  readonly #accounts = new Map<number, PlainAccount>();
  /** The last setting of a driver (even) or contractor (odd). */
  readonly #work = new Map<number, number>();

  constructor(readonly world: World) {}

  async play(step: AccountStep): Promise<boolean> {
    const { act, user, value } = step;
    if (act === 'work') return this.#setWork(user, value);
    if (act === 'erase') return this.#erase(user);
    const {
      core: { commands },
      nextId,
    } = this.world;
    const userId = this.#idOf(user);
    const keyId = act === 'revokeKey' ? (this.#accounts.get(user)?.keys[step.key - 1]?.id ?? nextId()) : nextId();
    const command = { commandId: nextId(), userId, ...this.#commandOf(step, keyId) } as AccountCommand;
    const may = this.#apply(step, keyId);
    expect(await accepts(commands.accounts(accountStream(userId), command, CAUSE)), JSON.stringify(step)).to.equal(may);
    return may;
  }

  #commandOf({ act, user, value }: AccountStep, keyId: string): object {
    switch (act) {
      case 'open':
        return { do: act, businessId: 1, role: roleOf(user), status: 'active', person: { name: `name ${value}` } };
      case 'change':
        return { do: act, person: { name: `name ${value}` } };
      case 'createKey':
        return { do: act, keyId, name: `key ${value}`, scopes: ['orders:read'] };
      case 'revokeKey':
        return { do: act, keyId };
      case 'passwordChanged':
        return { do: act, endKeys: value % 2 === 0 };
      default:
        return { do: act };
    }
  }

  #apply({ act, user, value }: AccountStep, keyId: string): boolean {
    const account = this.#accounts.get(user);
    if (act === 'open')
      return (
        !account &&
        this.#accounts.set(user, { status: 'active', name: `name ${value}`, erased: false, keys: [] }) !== undefined
      );
    if (!account) return false;
    const others = account.keys.filter(({ id }) => id !== keyId);
    switch (act) {
      case 'change':
        account.name = `name ${value}`;
        return true;
      case 'enable':
        account.status = 'active';
        return true;
      case 'disable':
        account.status = 'disabled';
        account.keys = [];
        return true;
      case 'passwordChanged':
        if (value % 2 === 0) account.keys = [];
        return true;
      case 'createKey':
        if (account.status === 'disabled') return false;
        return (account.keys = [...others, { id: keyId, name: `key ${value}` }]) !== undefined;
      case 'revokeKey':
        if (others.length === account.keys.length) return false;
        return (account.keys = others) !== undefined;
      default:
        return true;
    }
  }

  async #setWork(user: number, value: number): Promise<boolean> {
    const {
      core: { commands },
      nextId,
    } = this.world;
    const userId = this.#idOf(user);
    const setting = { commandId: nextId(), userId, business: 1 };
    const { changed } =
      roleOf(user) === 'driver'
        ? await commands.drivers(
            driverStream(userId),
            { ...setting, do: 'setCapacity', capacity: { max_orders: value } },
            CAUSE,
          )
        : await commands.contractors(
            contractorStream(userId),
            { ...setting, rules: [{ postal_prefixes: [String(value)] }] },
            CAUSE,
          );
    expect(changed, `${user} ${value}`).to.equal(this.#work.get(user) !== value);
    this.#work.set(user, value);
    return true;
  }

  /** An erased user cannot sign in again, and later events of the account do not contain the name. */
  async #erase(user: number): Promise<boolean> {
    const { erasure, nextId } = this.world;
    const account = this.#accounts.get(user);
    const subjects = await erasure.subjects.find(accountSubject(this.#idOf(user)));
    expect(subjects, String(user)).to.have.length(account ? 1 : 0);
    if (!account) return false;
    await erasure.erasing.erase(subjects[0]!, nextId(), CAUSE);
    Object.assign(account, { erased: true, status: 'disabled', keys: [] });
    return true;
  }

  async check(): Promise<void> {
    const {
      engines: { pool, keyRing },
    } = this.world.core;
    const queries = createAccountQueries({ pool, database: createDatabase(pool), keyRing, now: Date.now });
    const found = await queries.byIds(Array.from({ length: USERS }, (_, index) => this.#idOf(index + 1)));
    const rowsFound = found.map(({ id, status, name, api_keys }) => ({
      id,
      status,
      name,
      keys: api_keys.map(({ id: key, name: called }) => [key, called]),
    }));
    expect(rowsFound).to.have.deep.members(
      [...this.#accounts].map(([user, { status, name, erased, keys }]) => ({
        id: this.#idOf(user),
        status,
        name: erased ? undefined : name,
        keys: keys.map((key) => [key.id, erased ? undefined : key.name]),
      })),
    );
    const { rows } = await pool.query('select id, capacity, rules from workers.workers where id between $1 and $2', [
      this.#idOf(1),
      this.#idOf(USERS),
    ]);
    expect(rows).to.have.deep.members(
      [...this.#work].map(([user, value]) => ({
        id: this.#idOf(user),
        capacity: roleOf(user) === 'driver' ? { max_orders: value } : null,
        rules: roleOf(user) === 'driver' ? null : [{ postal_prefixes: [String(value)] }],
      })),
    );
  }

  #idOf(user: number): number {
    return this.world.base + FIRST + user;
  }
}

const roleOf = (user: number): 'driver' | 'broker' => (user % 2 === 0 ? 'driver' : 'broker');
