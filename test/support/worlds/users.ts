/** Signed-in users for tests. */
import { expect } from 'chai';
import type { DemoUsers } from '../../../src/compose/demo/people.js';
import type { Answer } from '../clients/http.js';
import type { TestService } from './service.js';

export type UserName = keyof DemoUsers;

/** Tokens of the demo's users, each signed in once. */
export function signIns({ api, demo }: Pick<TestService, 'api' | 'demo'>): (user: UserName) => Promise<string> {
  const tokens = new Map<UserName, Promise<string>>();
  async function signIn(user: UserName): Promise<string> {
    const { email, password } = demo.users[user];
    const { status, json } = await api('/user/login', { body: { email, password } });
    expect(status, `${user} signs in`).to.equal(200);
    return json.access_token as string;
  }
  return (user) => {
    const known = tokens.get(user) ?? signIn(user);
    tokens.set(user, known);
    return known;
  };
}

/** Calls as users of the demo: `as(user, path, body, method)`. */
export function asUsers(t: Pick<TestService, 'api' | 'demo'>) {
  const keyOf = signIns(t);
  return async (user: UserName, path: string, body?: unknown, method?: string): Promise<Answer> =>
    t.api(path, { key: await keyOf(user), body, ...(method !== undefined && { method }) });
}
export type AsUsers = ReturnType<typeof asUsers>;
