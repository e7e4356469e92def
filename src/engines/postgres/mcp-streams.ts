/**
 * Streams of MCP's old transport, shared by all processes: the principal of each stream, and responses in transit to
 * its process. NOTIFY notifies that process. It also polls, in case a notification is lost.
 */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { TimeLimits } from '../../events/core/time-limits.js';
import { createWakeUp, type WakeUp } from '../postgres-log/wake-up.js';
import type { Vault } from '../vault.js';

const POLL_MS = 2_000;
const CHANNEL = 'mcp_answers';

export type McpStreams = ReturnType<typeof createMcpStreams>;

const hashOf = (stream: string): Buffer => createHash('sha256').update(stream).digest();
const contextOf = (id: Buffer): string => `mcp answer ${id.toString('hex')}`;

/** A stream expires if its process was silent for `streamSilentSeconds`. */
export function createMcpStreams(
  pool: Pool,
  vault: Vault,
  { streamSilentSeconds, streamBeatMs }: Pick<TimeLimits, 'streamSilentSeconds' | 'streamBeatMs'>,
) {
  /** By stream hash in hex. */
  const held = new Map<string, (answer: string) => void>();
  let wakeUp: WakeUp | undefined;
  let pollTimer: NodeJS.Timeout | undefined;
  /** Created with the first stream: most installations never have one. */
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
    /** Registers a stream in this process. `take` receives its responses until `gone` aborts. */
    async hold(stream: string, principal: string, take: (answer: string) => void, gone: AbortSignal): Promise<void> {
      const id = hashOf(stream);
      const name = id.toString('hex');
      waking();
      pollTimer ??= setInterval(() => void deliver().catch(() => undefined), POLL_MS).unref();
      await pool.query('insert into access.mcp_streams (id, principal) values ($1, $2)', [id, principal]);
      held.set(name, take);
      const leave = () => {
        held.delete(name);
        pool.query('delete from access.mcp_streams where id = $1', [id]).catch(() => undefined);
      };
      if (gone.aborted) leave();
      else gone.addEventListener('abort', leave, { once: true });
    },
    /** Whether this stream of the principal is open in any process. */
    async isOpen(stream: string, principal: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        'select from access.mcp_streams where id = $1 and principal = $2 and alive_at > now() - make_interval(secs => $3)',
        [hashOf(stream), principal, streamSilentSeconds],
      );
      return rowCount === 1;
    },
    /** Sends a response to the process that holds the stream. Without a stream, the response is dropped. */
    async answer(stream: string, answer: string): Promise<void> {
      const id = hashOf(stream);
      const localStream = held.get(id.toString('hex'));
      if (localStream) return localStream(answer);
      await pool.query(
        'insert into access.mcp_answers (stream, content) select id, $2 from access.mcp_streams where id = $1',
        [id, vault.seal(Buffer.from(answer), contextOf(id))],
      );
      waking().announce([id.toString('hex')]);
    },
    /** Records that the streams of this process are alive. */
    async keepAlive(): Promise<void> {
      if (held.size === 0) return;
      await pool.query('update access.mcp_streams set alive_at = now() where id = any ($1)', [
        [...held.keys()].map((name) => Buffer.from(name, 'hex')),
      ]);
    },
    /** Deletes streams of dead processes; returns their number. */
    async sweep(): Promise<number> {
      const { rowCount } = await pool.query(
        'delete from access.mcp_streams where alive_at < now() - make_interval(secs => $1)',
        [streamSilentSeconds],
      );
      return rowCount ?? 0;
    },
    async close(): Promise<void> {
      clearInterval(pollTimer);
      await wakeUp?.close();
    },
  };
}
