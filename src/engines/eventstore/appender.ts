/**
 * Sends appends over one `BatchAppend` stream. The library also has such a call, but it keeps one table of pending
 * appends for the whole process, with three faults:
 * - An error of one connection rejects the appends of all others.
 * - A response that arrives afterwards throws where no code can catch it.
 * - No call has a deadline.
 * Here each stream has its own table and each call its deadline. The end of a stream fails only its own calls, and late
 * responses are dropped.
 */
import { randomUUID } from 'node:crypto';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import { LogUnavailable, type StreamAppend } from '../../events/core/log.js';
import type { Connection } from './connection.js';
import { answerOf, idOf, leaderlessness, named, requestOf, unavailable, type Answer } from './messages.js';
import { withTimeout } from './retry.js';

/** Maximum number of calls in flight, so that the server can respond to all of them before their timeout. */
const WINDOW = 512;

export interface Limits {
  /** Milliseconds between sending a call and its response. */
  readonly timeout: number;
  /** Milliseconds that a call waits in the queue: as long as the caller waits for a response. */
  readonly queueTimeout: number;
}

export class Appender {
  readonly #connection: Connection;
  readonly #limits: Limits;
  #line: Line | undefined;
  #opening: Promise<Line> | undefined;

  constructor(connection: Connection, limits: Limits) {
    this.#connection = connection;
    this.#limits = limits;
  }

  /**
   * Appends to one stream. Concurrent calls may be executed in any order: wait for the response before sending an
   * append that depends on it. Throws if the server rejects the append, does not respond in time, or the stream ends.
   * In the last two cases the append may have been executed; it is safe to repeat.
   */
  async append(append: StreamAppend): Promise<Answer> {
    const line = this.#line ?? (await withTimeout((this.#opening ??= this.#open()), this.#limits.timeout));
    return line.call(append);
  }

  async #open(): Promise<Line> {
    try {
      const stream = await this.#connection.open(
        'batchAppend',
        (stubs, metadata, options) => stubs.batchAppend(metadata, options),
        { requiresLeader: true },
      );
      const line: Line = new Line(stream, this.#limits, () => {
        if (this.#line === line) this.#line = undefined;
      });
      return (this.#line = line);
    } finally {
      this.#opening = undefined;
    }
  }
}

interface Call {
  readonly append: StreamAppend;
  /** Number of responses on the stream when the call was sent. */
  answersBefore: number;
  /** Timeout of the queue, then timeout of the response. */
  timer: NodeJS.Timeout;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** One stream and its pending calls. */
class Line {
  readonly #stream: ClientDuplexStream<BatchAppendReq, BatchAppendResp>;
  readonly #limits: Limits;
  readonly #onEnd: () => void;
  /** Calls that were sent and await a response, by id. */
  readonly #pending = new Map<string, Call>();
  /** Calls that are not sent yet, in order. */
  readonly #waiting = new Set<Call>();
  #full = false;
  #answers = 0;
  #end: Error | undefined;

  constructor(stream: ClientDuplexStream<BatchAppendReq, BatchAppendResp>, limits: Limits, onEnd: () => void) {
    this.#stream = stream;
    this.#limits = limits;
    this.#onEnd = onEnd;
    stream.on('data', (response: BatchAppendResp) => this.#answer(response));
    stream.on('drain', () => {
      this.#full = false;
      this.#send();
    });
    stream.on('error', (error: Error) => this.#finish(named(error)));
    stream.on('end', () => this.#finish(new LogUnavailable('EventStoreDB closed the append stream.')));
  }

  call(append: StreamAppend): Promise<Answer> {
    if (this.#end) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(call);
        reject(new LogUnavailable('Too many appends to EventStoreDB are pending.'));
      }, this.#limits.queueTimeout);
      const call: Call = { append, answersBefore: 0, timer, resolve, reject };
      this.#waiting.add(call);
      this.#send();
    });
  }

  #send(): void {
    for (const call of this.#waiting) {
      if (this.#full || this.#pending.size >= WINDOW) return;
      this.#waiting.delete(call);
      clearTimeout(call.timer);
      const id = randomUUID();
      call.timer = setTimeout(() => this.#expire(id, call), this.#limits.timeout);
      call.answersBefore = this.#answers;
      this.#pending.set(id, call);
      this.#full = !this.#stream.write(requestOf(id, call.append));
    }
  }

  #expire(id: string, call: Call): void {
    this.#pending.delete(id);
    call.reject(new LogUnavailable('EventStoreDB did not respond to an append in time.'));
    // If no response has arrived since the call was sent, the stream itself may be dead. Later calls would also run
    // into the timeout.
    if (this.#answers === call.answersBefore) this.#break('EventStoreDB does not respond.');
    else this.#send();
  }

  /** Ends the stream, and makes the library look for the leader again. */
  #break(reason: string): void {
    this.#stream.destroy(unavailable(reason));
    this.#stream.cancel();
  }

  #answer(response: BatchAppendResp): void {
    this.#answers += 1;
    const reason = leaderlessness(response);
    if (reason !== undefined) return this.#break(reason);
    const id = idOf(response);
    const call = this.#pending.get(id);
    if (!call) return;
    this.#pending.delete(id);
    clearTimeout(call.timer);
    try {
      call.resolve(answerOf(response, call.append));
    } catch (error) {
      call.reject(error as Error);
    }
    this.#send();
  }

  #finish(error: Error): void {
    if (this.#end) return;
    this.#end = error;
    this.#onEnd();
    const calls = [...this.#pending.values(), ...this.#waiting];
    this.#pending.clear();
    this.#waiting.clear();
    for (const { timer, reject } of calls) {
      clearTimeout(timer);
      reject(error);
    }
  }
}
