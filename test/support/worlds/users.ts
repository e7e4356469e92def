/** Signed-in users for tests. */
import { expect } from 'chai';
import type { DemoUsers } from '../../../src/compose/demo/people.js';
import type { Answer } from '../clients/http.js';
import type { TestService } from './service.js';

export type UserName = keyof DemoUsers;

type Signing = Pick<TestService, 'api' | 'demo' | 'now'>;

/**
 * Returns tokens of the demo's users. Each user signs in once, and again after the token has expired by the service's
 * clock.
 */
export function signIns({ api, demo, now }: Signing): (user: UserName) => Promise<string> {
  const tokens = new Map<UserName, Promise<{ token: string; end: number }>>();
  async function signIn(user: UserName): Promise<{ token: string; end: number }> {
    const { email, password } = demo.users[user];
    const { status, json } = await api('/user/login', { body: { email, password } });
    expect(status, `${user} signs in`).to.equal(200);
    return { token: json.access_token as string, end: json.expires_timestamp * 1_000 };
  }
  return async (user) => {
    const known = tokens.get(user);
    if (known && now() < (await known).end) return (await known).token;
    const signing = signIn(user);
    tokens.set(user, signing);
    return (await signing).token;
  };
}

/** Calls as users of the demo: `as(user, path, body, method, headers)`. */
export function asUsers(t: Signing) {
  const keyOf = signIns(t);
  return async (
    user: UserName,
    path: string,
    body?: unknown,
    method?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer> =>
    t.api(path, { key: await keyOf(user), body, ...(method !== undefined && { method }), ...(headers && { headers }) });
}
export type AsUsers = ReturnType<typeof asUsers>;
