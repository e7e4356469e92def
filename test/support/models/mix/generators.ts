/** The generators of all areas: each file of `areas/` contains the generator of the area with its name. */
import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { createPlayer, type Generator, type PlayerOptions } from './generator.js';
import type { Area, Step } from './world.js';

/** The file in which an area contributes its generator, relative to the repository. */
export const GENERATOR_OF = (area: string): string => `test/support/models/mix/areas/${area}.ts`;

export interface GeneratedStep {
  readonly act: string;
  readonly seed: number;
}

/** By area name. */
export const GENERATORS: Readonly<Record<string, Generator>> = await load();

/** Every act of every area. */
export const GENERATED_ACTS: readonly { readonly area: string; readonly act: string }[] = Object.entries(
  GENERATORS,
).flatMap(([area, acts]) => Object.keys(acts).map((act) => ({ area, act })));

/** A step of one area. */
export const stepOf = (area: string): fc.Arbitrary<GeneratedStep> =>
  fc.record({ act: fc.constantFrom(...Object.keys(GENERATORS[area]!)), seed: fc.nat() });

/** A step of any area; all acts are equally likely. */
export const generatedStep: fc.Arbitrary<{ readonly area: string; readonly step: GeneratedStep }> = fc
  .record({ one: fc.constantFrom(...GENERATED_ACTS), seed: fc.nat() })
  .map(({ one: { area, act }, seed }) => ({ area, step: { act, seed } }));

/** By area name. */
export type Generators = Readonly<Record<string, Area<Step>>>;

/** The generators of one mix. A replay of the log checks their read models. */
export function beginGenerators(options: PlayerOptions): Generators {
  const play = createPlayer(options);
  return Object.fromEntries(
    Object.entries(GENERATORS).map(([area, acts], index) => [
      area,
      {
        // A step of an area's generator has a seed.
        play: ({ act, seed = 0 }: Step & Partial<GeneratedStep>) => play({ area, index, act: acts[act]!, seed }),
        check: () => Promise.resolve(),
      },
    ]),
  );
}

async function load(): Promise<Record<string, Generator>> {
  const folder = new URL('areas/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const loaded = files.sort().map(async (name) => {
    const { MIX } = (await import(new URL(name, folder).href)) as { readonly MIX: Generator };
    return [name.slice(0, -3), MIX] as const;
  });
  return Object.fromEntries(await Promise.all(loaded));
}
