/** Businesses, providers and webhook settings in the random mix: registrations and their latest settings. */
import { expect } from 'chai';
import fc from 'fast-check';
import { businessStream, MODULES, type Module } from '../../../../src/events/businesses/events.js';
import { providerStream } from '../../../../src/events/providers/events.js';
import {
  DEFAULT_FLAGS,
  webhooksStream,
  type WebhookFlags,
  type WebhookEndpoint,
} from '../../../../src/events/webhooks/events.js';
import { CAUSE } from '../../worlds/test-core.js';
import { accepts, type Area, type World } from './world.js';

/** Number and first id of the businesses and providers of a run. */
const COUNT = 4;
const FIRST = 200;
const KINDS: readonly WebhookEndpoint[] = ['default', 'order_created', 'tracking_event'];

export const settingStep = fc.record({
  act: fc.constantFrom(
    'register',
    'register',
    'module',
    'module',
    'provider',
    'mapping',
    'endpoint',
    'endpoint',
    'pause',
    'flag',
    'secret',
  ),
  of: fc.integer({ min: 1, max: COUNT }),
  on: fc.boolean(),
  value: fc.integer({ min: 1, max: 3 }),
  module: fc.constantFrom<Module>(...MODULES),
  kind: fc.constantFrom(...KINDS),
});
export type SettingStep = typeof settingStep extends fc.Arbitrary<infer T> ? T : never;

interface PlainWebhooks {
  readonly endpoints: Map<WebhookEndpoint, 'on' | 'off' | 'paused'>;
  flags: WebhookFlags;
}

export class Settings implements Area<SettingStep> {
  readonly #businesses = new Map<number, Set<string>>();
  readonly #providers = new Map<number, { name: string; may_open: boolean; mapping: readonly object[] }>();
  readonly #webhooks = new Map<number, PlainWebhooks>();

  constructor(readonly world: World) {}

  async play(step: SettingStep): Promise<boolean> {
    if (step.act === 'register' || step.act === 'module') return this.#business(step);
    if (step.act === 'provider' || step.act === 'mapping') return this.#provider(step);
    return this.#webhook(step);
  }

  async #business(step: SettingStep): Promise<boolean> {
    const { act, of, module, on, value } = step;
    const {
      core: { commands },
      nextId,
    } = this.world;
    const id = this.#idOf(of);
    const modules = this.#businesses.get(of);
    const may = act === 'register' ? !modules : modules !== undefined;
    const command =
      act === 'register'
        ? ({
            do: 'register',
            commandId: nextId(),
            id,
            code: this.#codeOf(of),
            name: `Business ${value}`,
            timezone: 'UTC',
          } as const)
        : ({ do: 'switch', commandId: nextId(), module, on } as const);
    expect(await accepts(commands.businesses(businessStream(id), command, CAUSE)), JSON.stringify(step)).to.equal(may);
    if (act === 'register') this.#businesses.set(of, modules ?? new Set());
    else modules?.[on ? 'add' : 'delete'](module);
    return may;
  }

  async #provider(step: SettingStep): Promise<boolean> {
    const { act, of, on, value } = step;
    const {
      core: { commands },
      nextId,
    } = this.world;
    const known = this.#providers.get(of);
    const may = act === 'provider' || known !== undefined;
    const mapping = [{ raw: `R${value}`, status_code: 'delivered' }];
    const command =
      act === 'provider'
        ? ({ do: 'register', commandId: nextId(), name: `Provider ${value}`, kind: 'carrier', may_open: on } as const)
        : ({ do: 'map', commandId: nextId(), mapping } as const);
    expect(
      await accepts(commands.providers(providerStream(this.#codeOf(of)), command, CAUSE)),
      JSON.stringify(step),
    ).to.equal(may);
    if (act === 'provider')
      this.#providers.set(of, { mapping: known?.mapping ?? [], name: `Provider ${value}`, may_open: on });
    else if (known) known.mapping = mapping;
    return may;
  }

  async #webhook({ act, of, on, value, kind }: SettingStep): Promise<boolean> {
    const {
      core: {
        commands,
        engines: { log },
      },
      nextId,
    } = this.world;
    const business = this.#idOf(of);
    const stream = webhooksStream(business);
    const known = this.#webhooks.get(of) ?? { endpoints: new Map(), flags: DEFAULT_FLAGS };
    const before = known.endpoints.get(kind);
    const common = { commandId: nextId(), businessId: business };
    const change = (members: object) =>
      commands.webhooks(stream, { do: 'change', ...common, urls: {}, flags: {}, ...members }, CAUSE);
    const flags = { include_personal_data: on };
    let changes = true;
    let done;
    if (act === 'endpoint') {
      changes = on || (before !== undefined && before !== 'off');
      if (changes) known.endpoints.set(kind, on ? 'on' : 'off');
      done = await change({ urls: { [kind]: on ? `https://example.org/${value}` : '' } });
    } else if (act === 'pause') {
      // A pause of an earlier setting has no effect.
      const set =
        (await log.readMany([stream]))
          .get(stream)
          ?.filter(({ type, data }) => type === 'WebhookEndpointSet' && data['kind'] === kind) ?? [];
      const endpointId = set.at(value === 3 ? -2 : -1)?.id ?? nextId();
      changes = before === 'on' && endpointId === set.at(-1)?.id;
      if (changes) known.endpoints.set(kind, 'paused');
      done = await commands.webhooks(stream, { do: 'pause', ...common, kind, endpointId, reason: 'failing' }, CAUSE);
    } else if (act === 'flag') {
      changes = known.flags.include_personal_data !== on;
      known.flags = { ...known.flags, ...flags };
      done = await change({ flags });
    } else {
      done = await change({ secret: { id: nextId(), overlapHours: 1 } });
    }
    expect(done.changed, `${act} ${of} ${kind} ${on}`).to.equal(changes);
    if (changes) this.#webhooks.set(of, known);
    return changes;
  }

  async check(): Promise<void> {
    const { pool } = this.world.core.engines;
    const ids = [this.#idOf(1), this.#idOf(COUNT)];
    const { rows: businesses } = await pool.query(
      'select id, code, modules from businesses.businesses where id between $1 and $2',
      ids,
    );
    expect(businesses).to.have.deep.members(
      [...this.#businesses].map(([of, modules]) => ({
        id: this.#idOf(of),
        code: this.#codeOf(of),
        modules: [...modules].sort(),
      })),
    );
    const { rows: providers } = await pool.query(
      'select id, name, may_open, mapping from providers.providers where id = any ($1)',
      [Array.from({ length: COUNT }, (_, index) => this.#codeOf(index + 1))],
    );
    expect(providers).to.have.deep.members(
      [...this.#providers].map(([of, provider]) => ({ id: this.#codeOf(of), ...provider })),
    );
    const { rows: webhooks } = await pool.query<{
      business: number;
      endpoints: Record<string, { on: boolean; paused?: object }>;
      flags: WebhookFlags;
    }>('select business, endpoints, flags from webhook_settings.settings where business between $1 and $2', ids);
    const rowsFound = webhooks.map(({ business, endpoints, flags }) => ({
      business,
      flags,
      endpoints: Object.fromEntries(
        Object.entries(endpoints).map(([kind, { on, paused }]) => [kind, !on ? 'off' : paused ? 'paused' : 'on']),
      ),
    }));
    expect(rowsFound).to.have.deep.members(
      [...this.#webhooks].map(([of, { endpoints, flags }]) => ({
        business: this.#idOf(of),
        flags,
        endpoints: Object.fromEntries(endpoints),
      })),
    );
  }

  #idOf(of: number): number {
    return this.world.base + FIRST + of;
  }

  #codeOf(of: number): string {
    return `mix-${this.#idOf(of)}`;
  }
}
