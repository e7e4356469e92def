/**
 * Road distances and durations from the table service of an OSRM server (API v1). A matrix is requested in tiles,
 * because a server limits the number of sources times destinations.
 */
import { z } from 'zod';
import {
  MatrixUnavailable,
  type Distances,
  type Position,
  type TravelEstimate,
} from '../../solvers/distances/distances.js';
import type { Matrix } from '../../solvers/routes/problem.js';
import { requestJson, NoResponse } from '../http-request.js';

export interface OsrmOptions {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string;
  /** Maximum number of sources, and of destinations, in one request: the server's `--max-table-size`. */
  readonly tableSize: number;
  readonly profile?: string;
  readonly timeoutMs?: number;
}

/** Number of concurrent tile requests. */
const MAX_CONCURRENT = 4;
/** Maximum bytes of a number in the response, including its comma. */
const BYTES_PER_CELL = 24;
const UNREACHABLE = -1;

const cells = z.array(z.array(z.number().nullable()));
const tableResponse = z.object({ code: z.literal('Ok'), durations: cells, distances: cells });
const errorResponse = z.object({ code: z.string(), message: z.string().optional() });

/** A part of the matrix that is requested in one call. */
interface Tile {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

export class Osrm implements Distances {
  readonly id = 'osrm';

  constructor(private readonly options: OsrmOptions) {}

  async between(from: Position, to: Position, signal?: AbortSignal): Promise<TravelEstimate | null> {
    const { distance, duration } = await this.matrix([from, to], signal);
    return duration[1]! < 0 ? null : { metres: distance[1]!, seconds: duration[1]! };
  }

  /** Throws MatrixUnavailable if the server does not respond after three attempts, or returns no matrix. */
  async matrix(positions: readonly Position[], signal?: AbortSignal): Promise<Matrix> {
    const size = positions.length;
    const distance = new Int32Array(size * size);
    const duration = new Int32Array(size * size).fill(UNREACHABLE);
    for (let place = 0; place < size; place += 1) duration[place * size + place] = 0;
    const matrixRequest = new MatrixRequest(this.options, positions, { size, distance, duration }, signal);
    const tiles = tilesOf(size, this.options.tableSize);
    const next = tiles.values();
    await Promise.all(
      Array.from({ length: MAX_CONCURRENT }, async () => {
        for (const tile of next) await matrixRequest.fill(tile);
      }),
    );
    return { size, distance, duration };
  }
}

function tilesOf(size: number, side: number): Tile[] {
  const parts: number[][] = [];
  for (let at = 0; at < size; at += side)
    parts.push(Array.from({ length: Math.min(side, size - at) }, (_, index) => at + index));
  return parts.flatMap((from) => parts.map((to) => ({ from, to })));
}

/** Requests one matrix. */
class MatrixRequest {
  /** Places without a nearby street: they have no routes. */
  private readonly unroutable = new Set<number>();

  constructor(
    private readonly options: OsrmOptions,
    private readonly positions: readonly Position[],
    private readonly matrix: Matrix,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async fill(tile: Tile): Promise<void> {
    const from = tile.from.filter((place) => !this.unroutable.has(place));
    const to = tile.to.filter((place) => !this.unroutable.has(place));
    if (from.length === 0 || to.length === 0) return;
    const json = await this.requestTile({ from, to });
    const table = tableResponse.safeParse(json);
    if (table.success) return this.write({ from, to }, table.data);
    const { code, message = '' } = errorResponse.safeParse(json).data ?? { code: 'no matrix' };
    const failedIndex = /coordinate (\d+)/.exec(message)?.[1];
    const place = failedIndex === undefined ? undefined : [...from, ...to][Number(failedIndex)];
    if (code === 'NoSegment' && place !== undefined) {
      this.unroutable.add(place);
      return this.fill({ from, to });
    }
    if (code === 'TooBig' && from.length * to.length > 1) return this.fillHalves({ from, to });
    throw new MatrixUnavailable(code);
  }

  /** Splits the request: the server accepts less than configured. */
  private async fillHalves({ from, to }: Tile): Promise<void> {
    const [left, right] = halves(from.length >= to.length ? from : to);
    for (const half of [left, right])
      await this.fill(from.length >= to.length ? { from: half, to } : { from, to: half });
  }

  private async requestTile({ from, to }: Tile): Promise<unknown> {
    const { url, profile = 'driving', timeoutMs = 10_000 } = this.options;
    const degrees = (e6: number): string => (e6 / 1_000_000).toFixed(6);
    const coordinates = [...from, ...to].map((place) => {
      const { latitude, longitude } = this.positions[place]!;
      return `${degrees(longitude)},${degrees(latitude)}`;
    });
    const sources = [...from.keys()].join(';');
    const destinations = [...to.keys()].map((index) => from.length + index).join(';');
    const query = `annotations=duration,distance&sources=${sources}&destinations=${destinations}`;
    try {
      const { json } = await requestJson({
        url: `${url}/table/v1/${profile}/${coordinates.join(';')}?${query}`,
        timeoutMs,
        maxBytes: 2 * BYTES_PER_CELL * from.length * to.length + 1_024 * (from.length + to.length),
        signal: this.signal,
      });
      return json;
    } catch (error) {
      throw error instanceof NoResponse ? new MatrixUnavailable(error.message, { cause: error }) : error;
    }
  }

  private write({ from, to }: Tile, { durations, distances }: z.infer<typeof tableResponse>): void {
    const { size, distance, duration } = this.matrix;
    const whole = (rows: readonly (readonly unknown[])[]): boolean =>
      rows.length === from.length && rows.every((row) => row.length === to.length);
    if (!whole(durations) || !whole(distances)) throw new MatrixUnavailable('a matrix of the wrong size');
    from.forEach((source, row) =>
      to.forEach((target, column) => {
        const seconds = durations[row]![column]!;
        const metres = distances[row]![column]!;
        if (source === target || seconds === null || metres === null) return;
        duration[source * size + target] = Math.round(seconds);
        distance[source * size + target] = Math.round(metres);
      }),
    );
  }
}

function halves(places: readonly number[]): [readonly number[], readonly number[]] {
  const middle = Math.ceil(places.length / 2);
  return [places.slice(0, middle), places.slice(middle)];
}
