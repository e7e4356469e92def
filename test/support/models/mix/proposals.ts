/**
 * Proposals in the random mix: made, approved, rejected, outdated, and left unfinished by dead processes and finished
 * by others.
 */
import { expect } from 'chai';
import { approvals } from '../../../../src/api/areas/approvals/operations.js';
import type { Call } from '../../../../src/api/core/call.js';
import { createInvoke, type Invoke } from '../../../../src/api/core/invoke.js';
import type { Operation } from '../../../../src/api/core/operation.js';
import { orderChanging } from '../../../../src/api/areas/orders/change.js';
import { orderReroute } from '../../../../src/api/areas/orders/reroute.js';
import { orderUpdate } from '../../../../src/api/areas/orders/update.js';
import { RESULTS } from '../../../../src/api/areas/orders/results.js';
import { ApiError } from '../../../../src/api/core/errors.js';
import { toApiError } from '../../../../src/api/core/problem.js';
import type { UserCaller } from '../../../../src/api/core/callers.js';
import { ROLE_SCOPES } from '../../../../src/api/core/scopes.js';
import type { ApprovalCommand } from '../../../../src/commands/approvals/decider.js';
import { accountStream } from '../../../../src/events/accounts/events.js';
import { proposalStream } from '../../../../src/events/approvals/events.js';
import { orderStream } from '../../../../src/events/orders/events.js';
import { createAccountQueries } from '../../../../src/projections/accounts/queries.js';
import { createApprovalQueries } from '../../../../src/projections/approvals/queries.js';
import { createDatabase } from '../../../../src/projections/core/database.js';
import { createOrderQueries } from '../../../../src/projections/orders/queries.js';
import { CAUSE } from '../../worlds/test-core.js';
import type { Dispatch } from './dispatch.js';
import { ProposalsModel, type PlainProposal, type ProposalStep } from './proposals-model.js';
import { accepts, type Area, type World } from './world.js';
import { WAIT_LIMIT_MS } from '../../eventually.js';

/** First id of the run's reviewers, above all other users. */
const FIRST = 900;
const TOOLS = { hold: 'orderHold', note: 'orderUpdate' } as const;

class Death extends Error {}

export class Proposals implements Area<ProposalStep> {
  readonly #model: ProposalsModel;
  readonly #approvals: ReturnType<typeof approvals>;
  readonly #failingApprovals: ReturnType<typeof approvals>;
  readonly #invoke: Invoke;

  constructor(
    readonly world: World,
    readonly dispatch: Dispatch,
  ) {
    const {
      core: {
        commands,
        engines: { log, pool, keyRing, searchIndex },
        progress,
      },
      clock,
    } = world;
    this.#model = new ProposalsModel(dispatch.model);
    const now = () => clock.now;
    const database = createDatabase(pool);
    const unused = () => Promise.reject(new Error('not in the mix'));
    this.#invoke = createInvoke({
      hiddenFamilies: async () => new Set(),
      limit: async () => ({}),
      idempotency: { claim: unused, sweep: unused, forget: unused },
      progress,
      log,
      now,
      reserveIds: unused,
    });
    const orders = { orders: commands.orders, queries: createOrderQueries({ database, keyRing, index: searchIndex }) };
    const writes = [
      ...orderChanging({ ...orders, results: RESULTS }),
      orderReroute({ ...orders, changeByCustomer: unused }),
      orderUpdate({
        ...orders,
        changeByCustomer: unused,
        warehouses: { isOpen: unused },
        settings: { settingsOf: unused } as never,
      }),
    ];
    const operation = (name: string) => writes.find((one) => one.name === name);
    const queueWith = (handle: typeof commands.approvals) =>
      approvals({
        handle,
        queries: createApprovalQueries({ database, keyRing, now }),
        accounts: createAccountQueries({ pool, database, keyRing, now }),
        oauthGrants: { of: () => Promise.resolve([]) },
        baseUrl: () => 'http://service',
        log,
        progress,
        now,
        registry: () => ({
          invoke: this.#invoke,
          operation,
          proposable: (tool) => ({ title: tool, operation: operation(tool)!, inputOf: (args) => args }),
          proposables: () => writes.map(({ name }) => name),
        }),
      });
    this.#approvals = queueWith(commands.approvals);
    const dies = (command: ApprovalCommand) => command.do === 'execute' || command.do === 'fail';
    this.#failingApprovals = queueWith((stream, command, cause) =>
      dies(command)
        ? Promise.reject(new Death('before it is written down'))
        : commands.approvals(stream, command, cause),
    );
  }

  /** Creates the reviewers of the run. */
  async begin(): Promise<this> {
    const {
      core: { commands },
      nextId,
    } = this.world;
    for (const business of [1, 2]) {
      const userId = this.#reviewer(business).userId;
      await commands.accounts(
        accountStream(userId),
        {
          do: 'open',
          commandId: nextId(),
          userId,
          businessId: business,
          role: 'client_admin',
          status: 'active',
          person: { name: 'Reviewer' },
        },
        CAUSE,
      );
    }
    return this;
  }

  async play(step: ProposalStep): Promise<boolean> {
    const { clock } = this.world;
    if (step.act === 'wait') return Boolean((clock.now += step.hours * 3_600_000));
    if (step.act === 'propose') return this.#propose(step);
    const one = this.#model.chosen(step, clock.now);
    if (!one) return false;
    const before = one.status;
    const decided = await this.#decide(step, one);
    expect(await this.#statusOf(one), `${one.id} ${JSON.stringify(step)}`).to.equal(one.status);
    return decided && one.status !== before;
  }

  async #propose(step: ProposalStep): Promise<boolean> {
    const {
      world: { clock, base },
    } = this;
    const before = this.#model.all.length;
    const expected = this.#model.propose(step, clock.now);
    const args = { order_id: base + step.order, ...(step.what === 'note' && { note: 'proposed' }) };
    const answer = await this.#call(
      this.#approvals,
      'proposalCreate',
      { tool: TOOLS[step.what], arguments: args, reason: 'random' },
      step.business,
    );
    expect(answer !== undefined, JSON.stringify(step)).to.equal(expected !== undefined);
    if (!answer || !expected) return false;
    const id = answer['proposal_id'] as string;
    if (this.#model.all.length > before) expected.id = id;
    expect(id, JSON.stringify(step)).to.equal(expected.id);
    return true;
  }

  async #decide({ act, business }: ProposalStep, one: PlainProposal): Promise<boolean> {
    const {
      core: { commands },
      clock: { now },
      nextId,
    } = this.world;
    const input = { proposal_id: one.id };
    switch (act) {
      case 'approve':
      case 'die': {
        const may = this.#model.approve(one, act, business, now);
        expect(
          (await this.#call(
            act === 'die' ? this.#failingApprovals : this.#approvals,
            'proposalApprove',
            input,
            business,
          )) !== undefined,
          `${act} ${one.id}`,
        ).to.equal(may);
        return may || act === 'die';
      }
      case 'claim': {
        const may = this.#model.approve(one, act, business, now);
        const { userId, scopes, tokenId } = this.#reviewer(one.business);
        const data = {
          approved_by: userId,
          scopes: [...scopes],
          approved_at: new Date(now).toISOString(),
          token: tokenId,
          channel: 'rest',
        };
        expect(
          await accepts(
            commands.approvals(
              proposalStream(one.id),
              { do: 'approve', proposalId: one.id, commandId: nextId(), at: now, data },
              CAUSE,
            ),
          ),
          `claim ${one.id}`,
        ).to.equal(may);
        return may;
      }
      case 'reject': {
        const may = this.#model.reject(one, business, now);
        expect(
          (await this.#call(this.#approvals, 'proposalReject', input, business)) !== undefined,
          `reject ${one.id}`,
        ).to.equal(may);
        return may;
      }
      case 'finish':
        this.#model.finish(one, now);
        await this.#approvals.decisions.finish(one.id);
        return true;
      default:
        this.#model.expire(one, now);
        await this.#approvals.decisions.expire(one.id);
        return true;
    }
  }

  /** Undefined if the call was rejected or the process died. */
  async #call(
    queue: ReturnType<typeof approvals>,
    name: string,
    input: object,
    business: number,
  ): Promise<Record<string, unknown> | undefined> {
    const call: Call = {
      caller: this.#reviewer(business),
      channel: 'rest',
      requestId: this.world.nextId(),
      address: '',
      header: () => undefined,
      fingerprint: () => Buffer.alloc(0),
    };
    try {
      return (
        await this.#invoke(
          queue.operations.find((one: Operation) => one.name === name)!,
          () => input as Record<string, unknown>,
          call,
        )
      ).result as Record<string, unknown>;
    } catch (error) {
      if (!((error as Error).cause instanceof Death) && toApiError(error).status >= 500) throw error;
      return undefined;
    }
  }

  /** Returns the status in the read model after it has caught up. */
  async #statusOf({ id }: PlainProposal): Promise<string | undefined> {
    await this.#settled();
    const { rows } = await this.world.core.engines.pool.query<{ status: string }>(
      'select status from approvals.proposals where id = $1',
      [id],
    );
    return rows[0]?.status;
  }

  async #settled(): Promise<void> {
    const {
      progress,
      engines: { log },
    } = this.world.core;
    if (!(await progress.waitFor('approvals', await log.head(), WAIT_LIMIT_MS))) throw new ApiError('NOT_CAUGHT_UP');
  }

  /** Checks that the log contains each proposed write as often as it was executed: once or never. */
  async check(): Promise<void> {
    const {
      core: {
        engines: { log },
      },
      base,
    } = this.world;
    const types = { hold: 'OrderHeld', note: 'OrderNoteChanged' } as const;
    for (const one of this.#model.all) {
      expect(await this.#statusOf(one), one.id).to.equal(one.status);
      const decisions = (await log.readMany([proposalStream(one.id)])).get(proposalStream(one.id))!;
      const approved = decisions.find(({ type }) => type === 'ProposalApproved');
      const events = (await log.readMany([orderStream(base + one.order)])).get(orderStream(base + one.order))!;
      const led = events.filter(({ metadata }) => approved !== undefined && metadata['$causationId'] === approved.id);
      expect(
        led.map(({ type }) => type),
        one.id,
      ).to.deep.equal(one.eventCount === 1 ? [types[one.what]] : []);
      const { length } = decisions.filter(({ type }) => type === 'ProposalExecuted');
      expect(length, one.id).to.equal(one.status === 'executed' ? 1 : 0);
    }
  }

  #reviewer(business: number): UserCaller {
    return {
      role: 'client_admin',
      userId: this.world.base + FIRST + business,
      businessId: business,
      timezone: 'UTC',
      tokenId: 'token',
      tokenKind: 'login',
      scopes: ROLE_SCOPES.client_admin,
      modules: new Set(),
    };
  }
}
