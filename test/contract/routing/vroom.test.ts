/** The VROOM adapter against a server that behaves as its documentation says. */
import { expect } from 'chai';
import { threadedBodies } from '../../../src/api/areas/plans/worker-threads/run-in-thread.js';
import { MAIN_THREAD_BODIES } from '../../../src/engines/routing/vroom-bodies.js';
import { Vroom } from '../../../src/engines/routing/vroom.js';
import { faultsOf } from '../../../src/solvers/routes/checker.js';
import { EngineFailed, EngineLimit, missingFeature } from '../../../src/solvers/routes/engine.js';
import { planOf } from '../../../src/solvers/routes/plan.js';
import type { Problem } from '../../../src/solvers/routes/problem.js';
import { problemOf } from '../../support/inputs/route-problems.js';
import { startVroom, type VroomServer } from '../../support/fakes/vroom.js';

const BUDGET = { seconds: 1, threads: 1 };

describe('plans from VROOM', () => {
  let server: VroomServer;
  beforeEach(async () => void (server = await startVroom()));
  afterEach(() => server.close());
  const vroom = (options = {}) => new Vroom({ url: server.url, maxBody: 1_000_000, ...options });
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: Error) => error,
    );

  it('follow every rule of the request: the checker finds nothing', async () => {
    const features = { kinds: ['delivery', 'pickup', 'transfer'] as const, pauses: true, open: true, rough: true };
    let planned = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const { problem, matrix } = problemOf(seed, 25, 4, { ...features, kinds: [...features.kinds] });
      // Requirements for a skill, a driver or a warehouse: VROOM represents all of them as skills.
      const requested: Problem = {
        ...problem,
        orders: problem.orders.map((order, index) => ({
          ...order,
          ...(index === 0 && { resource: 1 }),
          ...(index === 1 && { skills: [7] }),
        })),
        resources: problem.resources.map((resource, index) => ({ ...resource, skills: index === 2 ? [7] : [] })),
      };
      const solution = await vroom().solve(requested, matrix, BUDGET);
      expect(faultsOf(requested, matrix, planOf(requested, matrix, solution)), `seed ${seed}`).to.deep.equal([]);
      planned += requested.orders.length - solution.unassigned.length;
    }
    expect(planned).to.be.above(400);
    const { options } = JSON.parse(server.requestBodies[0]!) as { options: object };
    expect(options).to.deep.equal({ g: false, l: 1, t: 1, x: 5 });
  });

  it('use the speed and the prices of each vehicle: vehicles of one kind share their matrix', async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const { problem, matrix } = problemOf(seed, 25, 4, { vehicles: true });
      const [first, ...others] = problem.resources;
      const slow = { speed: 500, weights: { perRoute: 7, perMetre: 3, perSecond: 0, perWait: 0 } };
      const slowProblem: Problem = { ...problem, resources: [first!, { ...first!, ...slow }, ...others] };
      const solution = await vroom().solve(slowProblem, matrix, BUDGET);
      expect(faultsOf(slowProblem, matrix, planOf(slowProblem, matrix, solution)), `seed ${seed}`).to.deep.equal([]);
      const sent = JSON.parse(server.requestBodies.at(-1)!) as {
        vehicles: { profile: string }[];
        matrices: Record<string, { durations: number[][] }>;
      };
      const kinds = new Set(slowProblem.resources.map(({ speed, weights }) => JSON.stringify([speed, weights])));
      expect(Object.keys(sent.matrices).length).to.be.within(2, kinds.size);
      const { profile } = sent.vehicles[1]!;
      expect(sent.matrices[profile]!.durations[0]![4]).to.equal(matrix.duration[4]! * 2);
    }
  });

  it('are not requested if the body would exceed the limit', async () => {
    const { problem, matrix } = problemOf(1, 25, 4);
    expect(await refusal(vroom({ maxBody: 1_000 }).solve(problem, matrix, BUDGET))).to.be.instanceOf(EngineLimit);
    const many = { ...problem, orders: Array.from({ length: 1_001 }, () => problem.orders[0]!) };
    expect(await refusal(vroom().solve(many, matrix, BUDGET))).to.be.instanceOf(EngineLimit);
    expect(server.requestBodies).to.deep.equal([]);
    await server.close();
    server = await startVroom({ limit: 1_000 });
    expect(await refusal(vroom().solve(problem, matrix, BUDGET))).to.be.instanceOf(EngineLimit);
  });

  it('are requested and read in a thread: the same bytes, the same plan, and a free event loop', async () => {
    const { problem, matrix } = problemOf(4, 150, 8, { vehicles: true });
    await server.close();
    server = await startVroom({ limit: 100_000_000 });
    const here = await vroom({ maxBody: 100_000_000 }).solve(problem, matrix, BUDGET);
    const turned: number[] = [];
    const bodies: typeof threadedBodies = {
      async made(args, signal) {
        let tickCount = 0;
        const ticking = setInterval(() => (tickCount += 1), 1);
        const body = await threadedBodies.made(args, signal);
        clearInterval(ticking);
        turned.push(tickCount);
        return body;
      },
      read: threadedBodies.read,
    };
    expect(await vroom({ maxBody: 100_000_000, bodies }).solve(problem, matrix, BUDGET)).to.deep.equal(here);
    expect(server.requestBodies).to.have.length(2);
    expect(server.requestBodies[1] === server.requestBodies[0]).to.equal(true);
    // A blocked event loop would have no turns. A thread takes dozens of milliseconds to start.
    expect(turned[0]).to.be.above(5);
    const cancel = AbortSignal.abort(new Error('called off'));
    expect(
      (await refusal(vroom({ maxBody: 100_000_000, bodies }).solve(problem, matrix, BUDGET, cancel)))?.message,
    ).to.equal('called off');
  });

  it('are rejected before a body is created that could not be sent', async () => {
    const { problem, matrix } = problemOf(4, 100, 3);
    let made = 0;
    const bodies = {
      ...MAIN_THREAD_BODIES,
      made: (args: Parameters<typeof MAIN_THREAD_BODIES.made>[0]) => ((made += 1), MAIN_THREAD_BODIES.made(args)),
    };
    const minimum = 2 * 2 * matrix.size ** 2;
    const refused = await refusal(vroom({ maxBody: minimum - 1, bodies }).solve(problem, matrix, BUDGET));
    expect(refused).to.be.instanceOf(EngineLimit);
    expect([made, refused?.message]).to.deep.equal([0, `at least ${minimum} bytes`]);
    expect(await refusal(vroom({ maxBody: minimum, bodies }).solve(problem, matrix, BUDGET))).to.be.instanceOf(
      EngineLimit,
    );
    expect(made).to.equal(1);
    expect(server.requestBodies).to.deep.equal([]);
  });

  it('come at the third attempt from a busy server, and never from one that hangs or fails', async () => {
    const { problem, matrix } = problemOf(1, 5, 2);
    server.fail(429, 2);
    await vroom().solve(problem, matrix, BUDGET);
    expect(server.requestBodies).to.have.length(3);
    server.fail('hang');
    const hurried = vroom({ patienceMs: 50 }).solve(problem, matrix, { seconds: 0.01, threads: 1 });
    expect(await refusal(hurried)).to.be.instanceOf(EngineFailed);
    server.fail(500);
    expect(await refusal(vroom().solve(problem, matrix, BUDGET))).to.be.instanceOf(EngineFailed);
    server.fail(400);
    expect(await refusal(vroom().solve(problem, matrix, BUDGET))).to.be.instanceOf(EngineFailed);
  });

  it('are rejected if they name an unknown entry', async () => {
    const { problem, matrix } = problemOf(1, 5, 2);
    server.cheat((routes) => [{ vehicle: routes[0]!.vehicle, steps: [{ type: 'job', id: 99 }] }]);
    expect(await refusal(vroom().solve(problem, matrix, BUDGET))).to.be.instanceOf(EngineFailed);
    server.cheat(() => [{ vehicle: 17, steps: [{ type: 'job', id: 0 }] }]);
    expect(await refusal(vroom().solve(problem, matrix, BUDGET))).to.be.instanceOf(EngineFailed);
  });

  it('lack rules that VROOM cannot express', () => {
    const { problem } = problemOf(1, 5, 2);
    const lacked = (change: Partial<Problem>) => missingFeature(vroom().capabilities, { ...problem, ...change });
    const [first] = problem.resources;
    expect(lacked({})).to.equal(undefined);
    expect(lacked({ balance: { mode: 'stops', strength: 500, useAll: false } })).to.equal('balance');
    expect(lacked({ resources: [{ ...first!, maxDuration: 60 }] })).to.equal('max_route_minutes');
    expect(lacked({ resources: [{ ...first!, driveBreak: { after: 60, duration: 60 } }] })).to.equal('drive_breaks');
    const visit = { place: 0, service: 0, windows: [[0, 10] as const], rank: 1 };
    expect(lacked({ orders: [{ ...problem.orders[0]!, delivery: visit }] })).to.equal('pins');
  });
});
