/**
 * Streams of MCP's old transport, for all processes: whose each is, and the answers that are on their way to its
 * process. That process is notified by NOTIFY, and asks now and then in case one was lost.
 */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { TimeLimits } from '../../events/core/time-limits.js';
import { createWakeUp, type WakeUp } from '../postgres-log/wake-up.js';
import type { Vault } from '../vault.js';

const LOOK_MS = 2_000;
const CHANNEL = 'mcp_answers';

export type McpStreams = ReturnType<typeof createMcpStreams>;

const hashOf = (stream: string): Buffer => createHash('sha256').update(stream).digest();
const contextOf = (id: Buffer): string => `mcp answer ${id.toString('hex')}`;

/** A stream whose process was silent for `streamSilentSeconds` is gone. */
export function createMcpStreams(
  pool: Pool,
  vault: Vault,
  { streamSilentSeconds, streamBeatMs }: Pick<TimeLimits, 'streamSilentSeconds' | 'streamBeatMs'>,
) {
  /** By the hash in hex. */
  const held = new Map<string, (answer: string) => void>();
  let wakeUp: WakeUp | undefined;
  let looking: NodeJS.Timeout | undefined;
  /** Made with the first stream: most installations never have one. */
  const waking = (): WakeUp =>
    (wakeUp ??= createWakeUp(pool, CHANNEL, (names) => void deliver(names && [...names]).catch(() => undefined)));

  async function deliver(names: readonly string[] = [...held.keys()]): Promise<void> {
    const mine = names.filter((name) => held.has(name)).map((name) => Buffer.from(name, 'hex'));
    if (mine.length === 0) return;
    const { rows } = await pool.query<{ id: string; stream: Buffer; content: Buffer }>(
      'delete from access.mcp_answers where stream = any ($1) returning id, stream, content',
      [mine],
    );
    for (const { stream, content } of rows.sort((a, b) => Number(a.id) - Number(b.id)))
      held.get(stream.toString('hex'))?.(vault.open(content, contextOf(stream)).toString());
  }

  return {
    /** Milliseconds between two calls of `keepAlive`. */
    beatMs: streamBeatMs,
    /** Holds a stream here: `deliver` is given the answers to it until `gone`. */
    async hold(stream: string, principal: string, take: (answer: string) => void, gone: AbortSignal): Promise<void> {
      const id = hashOf(stream);
      const name = id.toString('hex');
      waking();
      looking ??= setInterval(() => void deliver().catch(() => undefined), LOOK_MS).unref();
      await pool.query('insert into access.mcp_streams (id, principal) values ($1, $2)', [id, principal]);
      held.set(name, take);
      const leave = () => {
        held.delete(name);
        pool.query('delete from access.mcp_streams where id = $1', [id]).catch(() => undefined);
      };
      if (gone.aborted) leave();
      else gone.addEventListener('abort', leave, { once: true });
    },
    /** Whether this stream of theirs is open anywhere. */
    async isOpen(stream: string, principal: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        'select from access.mcp_streams where id = $1 and principal = $2 and alive_at > now() - make_interval(secs => $3)',
        [hashOf(stream), principal, streamSilentSeconds],
      );
      return rowCount === 1;
    },
    /** Brings an answer to the process that holds the stream; without a stream it is dropped. */
    async answer(stream: string, answer: string): Promise<void> {
      const id = hashOf(stream);
      const here = held.get(id.toString('hex'));
      if (here) return here(answer);
      await pool.query(
        'insert into access.mcp_answers (stream, content) select id, $2 from access.mcp_streams where id = $1',
        [id, vault.seal(Buffer.from(answer), contextOf(id))],
      );
      waking().announce([id.toString('hex')]);
    },
    /** Says that the streams of this process are there. */
    async keepAlive(): Promise<void> {
      if (held.size === 0) return;
      await pool.query('update access.mcp_streams set alive_at = now() where id = any ($1)', [
        [...held.keys()].map((name) => Buffer.from(name, 'hex')),
      ]);
    },
    /** Forgets streams of processes that are gone; returns how many. */
    async sweep(): Promise<number> {
      const { rowCount } = await pool.query(
        'delete from access.mcp_streams where alive_at < now() - make_interval(secs => $1)',
        [streamSilentSeconds],
      );
      return rowCount ?? 0;
    },
    async close(): Promise<void> {
      clearInterval(looking);
      await wakeUp?.close();
    },
  };
}
