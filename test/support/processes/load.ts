/** Pushes scans from several connections until it is stopped, and records which events were acknowledged. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../clients/http.js';
import { event, timelineOf } from '../inputs/pushes.js';

export interface Load {
  /** Ids of the events that were acknowledged. */
  readonly acknowledged: Set<string>;
  /** Documents whose response acknowledged every event. */
  readonly answered: unknown[];
  /** Documents without a response, so their result is unknown. */
  readonly unanswered: unknown[];
  /** Responses that were neither success nor a request to retry later. */
  readonly wrong: string[];
  /** Returns the longest response time in milliseconds. */
  readonly slowest: () => number;
  /** Takes the current requests; the returned function counts the requests that still have no response. */
  readonly waiting: () => () => number;
  /** Closes all connections and waits for current requests. */
  readonly stop: () => Promise<void>;
}

export interface LoadOptions {
  /** Addresses that the connections use in alternation. */
  readonly urls: readonly string[];
  readonly key: string;
  readonly numbers: readonly string[];
  readonly connections?: number;
  /** Milliseconds between a connection's pushes. */
  readonly pause?: number;
}

/** Each push has one to three timelines with one to ten scans, for numbers that the connections share. */
export function startLoad({ urls, key, numbers, connections = 8, pause = 0 }: LoadOptions): Load {
  const load = {
    acknowledged: new Set<string>(),
    answered: [] as unknown[],
    unanswered: [] as unknown[],
    wrong: [] as string[],
  };
  let stopping = false;
  let slowest = 0;
  const underWay = new Set<unknown>();
  const running = Array.from({ length: connections }, async (_, connection) => {
    for (let turn = 0; !stopping; turn++) {
      const document = pushTo(numbers, connection + turn);
      const startedAt = performance.now();
      underWay.add(document);
      try {
        const { status, json, text, headers } = await call(
          `${urls[(connection + turn) % urls.length]}/api/v1/otep/ingest`,
          { key, body: document },
        );
        if (status === 503 && headers.get('retry-after') === null) load.wrong.push(`no Retry-After: ${text}`);
        if (status === 503) load.unanswered.push(document);
        else if (status !== 200 || json.rejected > 0) load.wrong.push(text);
        else {
          load.answered.push(document);
          for (const { event_id } of json.events as { event_id: string }[]) load.acknowledged.add(event_id);
        }
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        load.unanswered.push(document);
        if (urls.length === 1) return;
        await sleep(50);
      } finally {
        underWay.delete(document);
        slowest = Math.max(slowest, performance.now() - startedAt);
        if (pause > 0) await sleep(pause);
      }
    }
  });
  return {
    ...load,
    slowest: () => slowest,
    waiting: () => {
      const waiting = [...underWay];
      return () => waiting.filter((document) => underWay.has(document)).length;
    },
    stop: async () => {
      stopping = true;
      await Promise.all(running);
    },
  };
}

function pushTo(numbers: readonly string[], turn: number): unknown {
  const timelines = Array.from({ length: 1 + (turn % 3) }, (_, index) =>
    timelineOf(
      numbers[(turn * 7 + index) % numbers.length]!,
      Array.from({ length: 1 + (turn % 10) }, (_, hour) =>
        event('in_transit', turn + hour, {
          event_id: `urn:uuid:${randomUUID()}`,
          ...(hour === 0 && { description: 'sealed' }),
        }),
      ),
    ),
  );
  return { timelines };
}
