/** (d) Time from the acknowledgement of a push until a read returns it, at a steady rate. */
import { setTimeout as sleep } from 'node:timers/promises';
import { push } from './documents.js';
import { createClient } from './http.js';
import { readUntilVisible } from './ingest.js';
import { quantile } from './support.js';

export interface LagFigures {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/**
 * Sends pushes of 100 events at `eventsPerSecond` for `duration` seconds. `bringing`: the reads send the position of
 * the push; otherwise they do not.
 */
export async function measureLag(
  url: string,
  key: string,
  eventsPerSecond: number,
  duration: number,
  bringing: boolean,
): Promise<LagFigures> {
  const client = createClient(url, 32, key);
  const interval = 100_000 / eventsPerSecond;
  const lags: number[] = [];
  const running: Promise<void>[] = [];
  const started = performance.now();
  for (let count = 0; performance.now() - started < duration * 1_000; count++) {
    const { body, numbers } = push();
    running.push(
      client.send('POST', '/api/v1/otep/ingest', { body }).then(async (answer) => {
        if (answer.status !== 200) throw new Error(`${answer.status}`);
        const acknowledged = performance.now();
        await readUntilVisible(
          client,
          numbers[0]!,
          bringing ? (answer.headers['x-event-position'] as string) : undefined,
        );
        lags.push(performance.now() - acknowledged);
      }),
    );
    await sleep(Math.max(0, started + (count + 1) * interval - performance.now()));
  }
  await Promise.all(running);
  client.close();
  return { p50: quantile(lags, 0.5), p99: quantile(lags, 0.99) };
}
