/**
 * Answers introspection with large results. The result depends only on the document, so it is cached; a worker thread
 * computes it, one document at a time, in turn by client. The main thread stays free for other requests.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { printSchema, type GraphQLSchema } from 'graphql';
import QuickLRU from 'quick-lru';
import { createFairTurns, TurnRefused } from '../../engines/fair-turns.js';
import { constant, type Constant } from '../core/constant.js';
import { ApiError } from '../core/errors.js';
import type { Prepared } from './documents.js';
import type { IntrospectionResult, IntrospectionWork } from './introspection-thread.js';
import { tooComplex } from './limits.js';

/** A result of all types has 900 kB. */
const MAX_CACHED = 16;
const TURNS = { atOnce: 1, maxWaiting: 32, maxWaitingPerClient: 4 } as const;
/** The thread needs some 50 MB, so it ends after this time without work. */
const IDLE_MS = 60_000;
const RETRY_SECONDS = 1;

export interface Introspection {
  /**
   * The response to an operation that contains only introspection. Throws QUERY_TOO_COMPLEX, and RATE_LIMITED if too
   * many documents of the client wait. `client`: principal or network.
   */
  answer(prepared: Prepared, client: string): Promise<Constant>;
}

export function createIntrospection(schema: () => GraphQLSchema): Introspection {
  const answers = new QuickLRU<string, Constant>({ maxSize: MAX_CACHED });
  const inTurn = createFairTurns(TURNS);
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function end(): void {
    void thread?.terminate();
    thread = undefined;
  }

  async function compute(work: IntrospectionWork): Promise<Constant> {
    clearTimeout(idle);
    thread ??= new Worker(new URL('./introspection-thread.js', import.meta.url), { workerData: printSchema(schema()) });
    try {
      const answered = once(thread, 'message') as Promise<[IntrospectionResult]>;
      thread.postMessage(work);
      const [result] = await answered;
      if (result === 'too large') throw tooComplex('introspection');
      return constant(result.json, 'application/json');
    } catch (error) {
      if (!(error instanceof ApiError)) end();
      throw error;
    } finally {
      // The process may end although the thread waits for work.
      thread?.unref();
      idle = setTimeout(end, IDLE_MS).unref();
    }
  }

  return {
    async answer({ query, operationName, variables }, client) {
      const key = JSON.stringify([query, operationName, variables]);
      const known = answers.get(key);
      if (known) return known;
      try {
        return await inTurn(client, async () => {
          // Another request may have computed it in the meantime.
          const answer = answers.get(key) ?? (await compute({ query, operationName, variables }));
          answers.set(key, answer);
          return answer;
        });
      } catch (error) {
        if (!(error instanceof TurnRefused)) throw error;
        throw new ApiError('RATE_LIMITED', {
          params: { seconds: RETRY_SECONDS },
          headers: { 'Retry-After': String(RETRY_SECONDS) },
          cause: error,
        });
      }
    },
  };
}
