import { expect } from 'chai';
import { providerStream } from '../../../src/events/providers/events.js';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';
import { startTestService } from '../../support/worlds/service.js';

describe('lag of the read models without a projector', () => {
  it('grows in the metrics of every process, and ends when a projector runs', async () => {
    const clock = { now: Date.UTC(2026, 6, 1, 12) };
    const api = await startTestService({ seed: false, env: { ROLES: 'api' }, now: () => clock.now });
    const lag = async (url: string): Promise<Record<string, number>> =>
      Object.fromEntries(
        [
          ...(await (await fetch(`${url}/metrics`)).text()).matchAll(
            /^projection_lag_seconds\{projection="(\w+)"\} (\S+)$/gm,
          ),
        ].map(([, name, seconds]) => [name!, Number(seconds)]),
      );
    try {
      expect(await lag(api.url)).to.include({ timeline: 0, providers: 0 });
      await api.service.commands.providers(
        providerStream('late'),
        { do: 'register', commandId: crypto.randomUUID(), name: 'late', kind: 'carrier', may_open: true },
        { correlationId: crypto.randomUUID(), actor: { kind: 'system', id: 'test' }, channel: 'system' },
      );
      clock.now += 90_000;
      expect(await lag(api.url)).to.include({ timeline: 0, providers: 90 });
      const projector = await startTestService({
        seed: false,
        databaseUrl: api.databaseUrl,
        env: { ROLES: 'projector' },
      });
      expect(
        await api.service.progress.waitFor('providers', await api.service.engines.log.head(), WAIT_LIMIT_MS),
      ).to.equal(true);
      expect(await lag(api.url)).to.include({ providers: 0 });
      await projector.stop();
    } finally {
      await api.stop();
    }
  });
});
