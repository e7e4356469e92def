/** The follower of the log that adds started effects to the table of work. */
import type { EffectSteps } from '../events/effects/steps.js';

/** Its row in the checkpoint table. */
export const EFFECTS_READER = { name: 'effects', version: 1 } as const;

interface EffectStreams {
  readonly prefix: string;
  readonly effects?: readonly EffectSteps[];
}

/** Undefined: no area has effects, so there is nothing to follow. */
export function effectsReader(streams: readonly EffectStreams[]) {
  const prefixes = streams.filter(({ effects = [] }) => effects.length > 0).map(({ prefix }) => prefix);
  return prefixes.length > 0 ? { ...EFFECTS_READER, prefixes } : undefined;
}
