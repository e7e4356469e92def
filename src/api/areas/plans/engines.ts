/** Planning engines: the built-in solver, and engines that the operator connected. */
import { FEATURES, type EngineLimits, type Feature, type RouteEngine } from '../../../solvers/routes/engine.js';
import { DRIVABLE, SOLVER_VERSION } from '../../../solvers/routes/drivable.js';
import { ApiError } from '../../core/errors.js';
import { ENGINES, PLAN_LIMITS, type EngineId, type PlanRequest } from './request.js';

const BUILTIN_PREFIX = 'builtin@';
export const BUILTIN_SOLVER = `${BUILTIN_PREFIX}${SOLVER_VERSION}`;

/**
 * The version of the built-in solver. Throws ENGINE_LACKS for a plan of another engine, SOLVER_RETIRED for a version
 * that is no longer supported.
 */
export function solverVersionOf(solver: string): number {
  if (!solver.startsWith(BUILTIN_PREFIX)) throw missingFeatureError('replay');
  const version = Number(solver.slice(BUILTIN_PREFIX.length));
  if (!DRIVABLE.has(version)) throw new ApiError('SOLVER_RETIRED', { params: { solver } });
  return version;
}

/** An engine, as `routePlanOptions` lists it. */
export interface EngineInfo {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly available: boolean;
  readonly capabilities: readonly Feature[];
  readonly limits: EngineLimits;
}

export type Engines = ReturnType<typeof createEngines>;

const BUILTIN_ENGINE: EngineInfo = {
  id: 'builtin',
  name: 'SISR',
  version: String(SOLVER_VERSION),
  available: true,
  capabilities: FEATURES,
  limits: { orders: PLAN_LIMITS.orders, resources: PLAN_LIMITS.resources },
};

export function createEngines(connected: readonly RouteEngine[]) {
  /**
   * Returns the connected engine; undefined for the built-in solver. Throws ENGINE_LACKS if the engine is not
   * connected.
   */
  const of = (id: EngineId): RouteEngine | undefined => {
    if (id === 'builtin') return undefined;
    const engine = connected.find((one) => one.id === id);
    if (!engine) throw missingFeatureError(id);
    return engine;
  };
  return {
    all: ENGINES.flatMap((id): EngineInfo[] => {
      if (id === 'builtin') return [BUILTIN_ENGINE];
      const engine = connected.find((one) => one.id === id);
      if (!engine)
        return [{ id, name: id, version: '', available: false, capabilities: [], limits: BUILTIN_ENGINE.limits }];
      const { name, version, capabilities, limits } = engine;
      return [{ id, name, version, available: true, capabilities, limits }];
    }),
    of,
    /** Throws ENGINE_LACKS if the engine does not support the request. */
    check(request: PlanRequest): void {
      const engine = of(request.engine);
      const missing = engine && featuresOf(request).find((feature) => !engine.capabilities.includes(feature));
      if (missing) throw missingFeatureError(missing);
    },
  };
}

export const missingFeatureError = (feature: string): ApiError => new ApiError('ENGINE_LACKS', { params: { feature } });

/** Features that a request requires of its engine. */
function featuresOf({ mode, balance, budget, max_route_minutes, drive_break }: PlanRequest): Feature[] {
  const required: [Feature, boolean][] = [
    ['balance', !!balance && balance.mode !== 'none' && balance.strength > 0],
    ['insert', mode === 'insert'],
    ['iterations', budget.iterations !== undefined],
    ['seed', budget.seed !== undefined],
    ['drive_breaks', drive_break !== undefined],
    ['max_route_minutes', max_route_minutes !== undefined],
  ];
  return required.filter(([, is]) => is).map(([feature]) => feature);
}
