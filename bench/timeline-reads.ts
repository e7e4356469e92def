/** (b) of the spine alone: the timeline read and a bare Express route in turns, each ratio within one round. */
import { measureReads, startBare } from './reading.js';
import { firstBody, openSubject, warmUp } from './spine.js';
import { median, untilAtRest, type Databases } from './support.js';
import { count, type Line } from './table.js';

export interface TimelineReadOptions {
  readonly rounds: number;
  /** Seconds of one measurement. */
  readonly duration: number;
}

/** The line's ratio is the median of the rounds' ratios; the lowest and the highest one show the noise. */
export async function measureTimelineReads(
  databases: Databases,
  { rounds, duration }: TimelineReadOptions,
): Promise<Line[]> {
  const subject = await openSubject(databases, 'reads');
  await warmUp(subject);
  await untilAtRest(subject.databaseUrl);
  const bare = await startBare('express', await firstBody(subject));
  const measure = async (url: string) => (await measureReads(url, subject.paths, duration)).rate;
  await measure(bare.url);
  const pairs: { readonly service: number; readonly express: number }[] = [];
  for (let round = 0; round < rounds; round++)
    pairs.push({ express: await measure(bare.url), service: await measure(subject.service.url) });
  await Promise.all([subject.service.stop(), bare.stop()]);
  const ratios = pairs.map(({ service, express }) => service / express).sort((a, b) => a - b);
  return [
    {
      name: 'b. timeline read (requests)',
      value: `${count(median(pairs.map(({ service }) => service)))}/s`,
      ratio: median(ratios),
      of: `${count(median(pairs.map(({ express }) => express)))}/s bare Express; ratios ${ratios.map((one) => one.toFixed(2)).join(', ')}`,
      reach: '0.7',
    },
  ];
}
