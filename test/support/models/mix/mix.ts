/** The random mix: what happens next, in any area, as data; and one run of it against the service. */
import fc from 'fast-check';
import { accountStep, Accounts } from './accounts.js';
import { captureStep, Captures } from './captures.js';
import { Dispatch } from './dispatch.js';
import { dispatchStep } from './dispatch-model.js';
import { Proposals } from './proposals.js';
import { proposalStep } from './proposals-model.js';
import { settingStep, Settings } from './settings.js';
import { Trackings } from './trackings.js';
import { trackingStep } from './trackings-model.js';
import type { Area, World } from './world.js';
import { runs } from '../../depth.js';

const STEPS = {
  dispatch: dispatchStep,
  trackings: trackingStep,
  proposals: proposalStep,
  captures: captureStep,
  accounts: accountStep,
  settings: settingStep,
} as const;
/** Of a hundred steps. */
const SHARES: Readonly<Record<AreaName, number>> = {
  dispatch: 60,
  trackings: 17,
  proposals: 8,
  captures: 4,
  accounts: 5,
  settings: 6,
};

export type AreaName = keyof typeof STEPS;
type Act = { readonly act: string };
export interface MixedStep {
  readonly area: AreaName;
  readonly step: Act;
}

export const AREA_NAMES = Object.keys(STEPS) as AreaName[];
export const mixedStep: fc.Arbitrary<MixedStep> = fc.oneof(
  ...AREA_NAMES.map((area) => ({
    weight: SHARES[area],
    arbitrary: (STEPS[area] as fc.Arbitrary<Act>).map((step) => ({ area, step })),
  })),
);

/** Every act there is, as `<area> <act>`, as far as a sample shows. */
export const everyAct = (seed: number): string[] =>
  AREA_NAMES.flatMap((area) => [
    ...new Set(
      fc.sample(STEPS[area] as fc.Arbitrary<Act>, { numRuns: runs(500), seed }).map(({ act }) => `${area} ${act}`),
    ),
  ]);

export async function beginMix(world: World): Promise<Readonly<Record<AreaName, Area<Act>>>> {
  const dispatch = await new Dispatch(world).begin();
  const proposals = await new Proposals(world, dispatch).begin();
  const areas = {
    dispatch,
    proposals,
    trackings: new Trackings(world),
    captures: new Captures(world),
    accounts: new Accounts(world),
    settings: new Settings(world),
  };
  return areas as unknown as Record<AreaName, Area<Act>>;
}
