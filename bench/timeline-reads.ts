/**
 * (b) of the spine alone: the timeline read and a bare Express route alternate, and each ratio is computed within one
 * round. If other work uses the cores, requests per second are not reliable; CPU time per request is better.
 */
import { readFileSync } from 'node:fs';
import { measureReads, startBare } from './reading.js';
import { firstBody, openSubject, warmUp } from './main-path.js';
import { median, waitUntilIdle, type Databases, type Process } from './support.js';
import { count, type Line } from './table.js';

export interface TimelineReadOptions {
  readonly rounds: number;
  /** Seconds of one measurement. */
  readonly duration: number;
}

/** The ratio of a line is the median of the rounds' ratios; the lowest and the highest ratio show the noise. */
export async function measureTimelineReads(
  databases: Databases,
  { rounds, duration }: TimelineReadOptions,
): Promise<Line[]> {
  const subject = await openSubject(databases, 'reads');
  await warmUp(subject);
  await waitUntilIdle(subject.databaseUrl);
  const bare = await startBare('express', await firstBody(subject));
  const measure = async ({ url, pid }: Process) => {
    const before = cpuMs(pid);
    const { rate } = await measureReads(url, subject.paths, duration);
    return { rate, micros: ((cpuMs(pid) - before) * 1_000) / (rate * duration) };
  };
  await measure(bare);
  const pairs: { readonly service: Measured; readonly express: Measured }[] = [];
  for (let round = 0; round < rounds; round++)
    pairs.push({ express: await measure(bare), service: await measure(subject.service) });
  await Promise.all([subject.service.stop(), bare.stop()]);
  const line = (name: string, figure: keyof Measured, unit: string, ratio: (one: (typeof pairs)[number]) => number) => {
    const ratios = pairs.map(ratio).sort((a, b) => a - b);
    return {
      name,
      value: `${count(median(pairs.map(({ service }) => service[figure])))}${unit}`,
      ratio: median(ratios),
      reference: `${count(median(pairs.map(({ express }) => express[figure])))}${unit} bare Express; ratios ${ratios.map((one) => one.toFixed(2)).join(', ')}`,
      goal: '0.7',
    };
  };
  return [
    line('b. timeline read (requests)', 'rate', '/s', ({ service, express }) => service.rate / express.rate),
    ...(process.platform === 'linux'
      ? [
          line(
            'b. CPU time of the process for a read',
            'micros',
            ' µs',
            ({ service, express }) => express.micros / service.micros,
          ),
        ]
      : []),
  ];
}

interface Measured {
  readonly rate: number;
  readonly micros: number;
}

/** CPU time of a process over all threads, in milliseconds; 0 without `/proc`. */
function cpuMs(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  // utime and stime, in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
