/** Purchases at the double of an external system: the double, a service with the area `double`, and their helpers. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer } from '../clients/http.js';
import { createDoubleArea, type DoubleAreaOptions } from '../double/area.js';
import { doubleStream } from '../double/events.js';
import { startRemote, type Remote } from '../double/start-remote.js';
import { BRIEF_LEASES } from '../processes/service-process.js';
import { startTestService, type TestService, type TestServiceOptions } from './service.js';
import { asUsers, type AsUsers } from './users.js';

/** The events before the first step that a worker records. */
export const BEGUN = ['DoubleOrdered', 'DoublePurchaseBegun'];
/** 35 s at the scale of BRIEF_LEASES: longer than the timeout of a call. */
const LATE_MS = 3_500;

export interface EffectWorld {
  readonly test: TestService;
  readonly remote: Remote;
  readonly as: AsUsers;
  /** Orders a purchase. Returns the response and the stream. */
  readonly order: (
    adapter: string,
    fault?: string,
  ) => Promise<{ readonly response: Answer; readonly id: string; readonly stream: string }>;
  /** The effect in the list of all. */
  readonly effect: (id: string) => Promise<Record<string, unknown> | undefined>;
  /** Types of the events of a stream. */
  readonly events: (stream: string) => Promise<readonly string[]>;
  /** Number of actions of an effect that took effect. */
  readonly actionsOf: (id: string) => Promise<number>;
  readonly stop: () => Promise<void>;
}

export async function openEffects(
  options: Partial<DoubleAreaOptions> = {},
  service: TestServiceOptions = {},
): Promise<EffectWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'transport-effects-'));
  const remote = await startRemote(join(folder, 'state'), LATE_MS);
  const test = await startTestService({
    ...service,
    env: { ...BRIEF_LEASES, RATE_LIMIT_WRITE: '100000', RATE_LIMIT_READ: '100000', ...service.env },
    additionalAreas: [createDoubleArea({ url: () => remote.url, ...options }) as never],
  });
  const as = asUsers(test);
  return {
    test,
    remote,
    as,
    async order(adapter, fault) {
      const id = randomUUID();
      const response = await as('client_admin', `/doubles/${id}`, {
        adapter,
        note: 'For Ada Lovelace',
        ...(fault !== undefined && { fault }),
      });
      return { response, id: response.json?.effect_id as string, stream: doubleStream(id) };
    },
    async effect(id) {
      const { json } = await as('client_admin', '/effects?status=all&per_page=200');
      return (json.effects as Record<string, unknown>[]).find((one) => one['id'] === id);
    },
    events: async (stream) =>
      (await test.service.engines.log.readMany([stream])).get(stream)?.map(({ type }) => type) ?? [],
    actionsOf: async (id) => (await remote.actions()).filter(({ key }) => key === id).length,
    async stop() {
      await test.stop();
      await remote.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
