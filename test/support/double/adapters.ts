/**
 * Adapters for the double of an external system, one for each way in which it prevents a second action. `kill` ends this
 * process at the moment that the purchase names.
 */
import { z } from 'zod';
import type { Adapter, EffectResult, LookCall, Outcome } from '../../../src/engines/outside/adapter.js';
import { callOutside, type OutsideRequest } from '../../../src/engines/outside/call-outside.js';
import type { Purchase } from './events.js';

const actionSchema = z.object({ number: z.string(), label: z.string() });
const objectSchema = z.object({ object_id: z.string() });
const errorSchema = z.object({ code: z.string(), text: z.string().optional() });

export type Kill = (moment: string, key: string) => void;

export interface DoubleOptions {
  /** Base URL of the double; read for each call, because a test may start it later. */
  readonly url: () => string;
  readonly kill?: Kill;
}

export const DOUBLE_ADAPTERS = ['double_object', 'double_key', 'double_lookup', 'double_none'] as const;

export function createDoubleAdapters({
  url,
  kill = () => undefined,
}: DoubleOptions): ReadonlyMap<string, Adapter<Purchase>> {
  const read =
    <T>(schema: z.ZodType<T>) =>
    (json: unknown): T | undefined =>
      schema.safeParse(json).data;

  function request<T>(
    path: string,
    { signal, key }: Pick<LookCall, 'signal' | 'key'>,
    more: Pick<OutsideRequest<T>, 'method' | 'read'> & {
      readonly purchase?: Purchase;
      readonly headers?: Readonly<Record<string, string>>;
    },
  ): Promise<Outcome<T>> {
    const { purchase, method, headers, read: readBody } = more;
    return callOutside({
      url: `${url()}${path}`,
      method,
      signal,
      read: readBody,
      headers: {
        'idempotency-key': key,
        'x-pid': String(process.pid),
        ...(purchase?.fault !== undefined && { 'x-fault': purchase.fault }),
        ...(purchase?.kill_at !== undefined && { 'x-kill-at': purchase.kill_at }),
        ...headers,
      },
      refusals: { DECLINED: { final: true }, BUSY: { final: false }, NOT_FOUND: { final: false } },
      refusalOf: (json, status) => {
        const { code = `status_${status}`, text } = errorSchema.safeParse(json).data ?? {};
        return { code, ...(text !== undefined && { text }) };
      },
      ...(purchase && { body: JSON.stringify({ note: purchase.note }) }),
    });
  }

  const look = (call: LookCall): Promise<Outcome<EffectResult>> =>
    request(`/actions/${call.remoteId ?? call.key}`, call, { method: 'GET', read: read(actionSchema) });

  const acting =
    (path: (call: LookCall) => string, headers: Readonly<Record<string, string>> = {}): Adapter<Purchase>['act'] =>
    async (call) => {
      const { request: purchase, key } = call;
      if (purchase.kill_at === 'before_send') kill('before_send', key);
      const outcome = await request(path(call), call, { method: 'POST', read: read(actionSchema), purchase, headers });
      if (purchase.kill_at === 'after_response') kill('after_response', key);
      // The append begins when this function returns, and takes some milliseconds.
      if (purchase.kill_at === 'during_append') setTimeout(() => kill('during_append', key), Math.random() * 8);
      return outcome;
    };

  const object: Adapter<Purchase> = {
    name: 'double_object',
    dedupe: 'object',
    async reserve(call) {
      const { key, request: purchase } = call;
      const reserved = await request('/objects', call, { method: 'POST', read: read(objectSchema) });
      if (purchase.kill_at === 'after_reserve') kill('after_reserve', key);
      return reserved.is === 'done' ? { is: 'done', result: { remoteId: reserved.result.object_id } } : reserved;
    },
    act: acting(({ remoteId }) => `/objects/${remoteId}/act`),
    look,
  };
  const keyed: Adapter<Purchase> = {
    name: 'double_key',
    dedupe: 'key',
    act: acting(() => '/actions', { 'x-dedupe': 'key' }),
    look,
  };
  return new Map(
    [
      object,
      keyed,
      { ...keyed, name: 'double_lookup', dedupe: 'lookup' as const, act: acting(() => '/actions') },
      { ...keyed, name: 'double_none', dedupe: 'none' as const, act: acting(() => '/actions') },
    ].map((adapter) => [adapter.name, adapter] as const),
  );
}
