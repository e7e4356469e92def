/** Many followers of one feed in a separate process, so that their cost does not affect the measuring process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createClient, type Client } from './http.js';

/** When an event of an order arrived at the first and at the last follower, and at how many followers. */
export interface Arrival {
  readonly type: string;
  readonly order_id: number;
  readonly first: number;
  last: number;
  count: number;
}

/** Instructions for the follower process: open one stream per token. */
export interface FollowRequest {
  readonly hostname: string;
  readonly port: number;
  readonly path: string;
  readonly tokens: readonly string[];
}

export interface Followers {
  /** In order of arrival. */
  arrivals(): Promise<readonly Arrival[]>;
  stop(): Promise<void>;
}

/** Milliseconds since 1970 with a fraction; comparable between processes. */
export const clock = (): number => performance.timeOrigin + performance.now();

/** Resolves when all streams have started. */
export async function startFollowers(url: string, path: string, tokens: readonly string[]): Promise<Followers> {
  const child = fork('dist/bench/followers-main.js', { execArgv: [] });
  const { hostname, port } = new URL(url);
  const ended = once(child, 'exit').then(() => {
    if (!child.killed) throw new Error('The followers ended.');
  });
  const answer = async () => ((await Promise.race([once(child, 'message'), ended])) as [unknown])[0];
  child.send({ hostname, port: Number(port), path, tokens } satisfies FollowRequest);
  await answer();
  return {
    async arrivals() {
      child.send('report');
      return (await answer()) as readonly Arrival[];
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/**
 * Creates users of the office's business and returns their tokens. Several users are needed because each user may have
 * at most ten streams.
 */
export async function createUsers(url: string, office: Client, many: number): Promise<string[]> {
  const anonymous = createClient(url, 1);
  const ask = async (client: Client, path: string, body: object) => {
    const answer = await client.send('POST', `/api/v1${path}`, { body: Buffer.from(JSON.stringify(body)) });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
    return JSON.parse(answer.body.toString()) as { readonly access_token: string };
  };
  const tokens: string[] = [];
  for (let n = 0; n < many; n += 1) {
    const who = { email: `bench-follower-${n}@example.com`, password: 'correct horse battery staple' };
    await ask(office, '/users', { ...who, name: `Follower ${n}`, role: 'employee' });
    tokens.push((await ask(anonymous, '/user/login', who)).access_token);
  }
  anonymous.close();
  return tokens;
}
