/**
 * The random mix: steps in any area, as data, and a run of them against the service. Six areas have simple models,
 * which check each response and the rows. All others contribute generators of commands.
 */
import fc from 'fast-check';
import { accountStep, Accounts } from './accounts.js';
import { captureStep, Captures } from './captures.js';
import { Dispatch } from './dispatch.js';
import { dispatchStep } from './dispatch-model.js';
import { generatedStep } from './generators.js';
import { Proposals } from './proposals.js';
import { proposalStep } from './proposals-model.js';
import { settingStep, Settings } from './settings.js';
import { Trackings } from './trackings.js';
import { trackingStep } from './trackings-model.js';
import type { Area, Step, World } from './world.js';

const MODELS = {
  'model of dispatch': dispatchStep,
  'model of trackings': trackingStep,
  'model of proposals': proposalStep,
  'model of captures': captureStep,
  'model of accounts': accountStep,
  'model of settings': settingStep,
} as const;
type ModelName = keyof typeof MODELS;

/** Relative frequency of steps of a model, compared with `GENERATED`. */
const SHARES: Readonly<Record<ModelName, number>> = {
  'model of dispatch': 36,
  'model of trackings': 10,
  'model of proposals': 5,
  'model of captures': 3,
  'model of accounts': 3,
  'model of settings': 4,
};
/** Relative frequency of steps of a generator. */
const GENERATED = 39;

export interface MixedStep {
  /** A model, or the area of a generator. */
  readonly area: string;
  readonly step: Step;
}

const models = Object.entries(MODELS) as [ModelName, fc.Arbitrary<Step>][];
export const mixedStep: fc.Arbitrary<MixedStep> = fc.oneof(
  ...models.map(([area, steps]) => ({ weight: SHARES[area], arbitrary: steps.map((step) => ({ area, step })) })),
  { weight: GENERATED, arbitrary: generatedStep },
);

/** Steps of the models that contain one of these acts, with the orders and routes that they need. */
export function stepsTo(acts: readonly string[]): fc.Arbitrary<MixedStep> {
  const wanted = models.filter(([area]) => area === 'model of dispatch' || acts.some((act) => act.startsWith(area)));
  return fc.oneof(...wanted.map(([area, steps]) => steps.map((step) => ({ area, step }))));
}

/** Returns every act of the models as `<model> <act>`, as far as a sample contains it. */
export const actsOfModels = (seed: number): string[] =>
  models.flatMap(([area, steps]) => [
    ...new Set(fc.sample(steps, { numRuns: 500, seed }).map(({ act }) => `${area} ${act}`)),
  ]);

/** Returns the models of one run by the names of their steps. */
export async function beginModels(world: World): Promise<Readonly<Record<string, Area<Step>>>> {
  const dispatch = await new Dispatch(world).begin();
  const proposals = await new Proposals(world, dispatch).begin();
  const judged: Readonly<Record<ModelName, unknown>> = {
    'model of dispatch': dispatch,
    'model of proposals': proposals,
    'model of trackings': new Trackings(world),
    'model of captures': new Captures(world),
    'model of accounts': new Accounts(world),
    'model of settings': new Settings(world),
  };
  return judged as Record<string, Area<Step>>;
}
