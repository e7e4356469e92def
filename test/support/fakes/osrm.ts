/**
 * An OSRM server by the documentation of its HTTP API (v1, table service). Streets run along the parallels and
 * meridians; a degree is 111 km, and the speed is 36 km/h everywhere. Places beyond 80 degrees of latitude are near no
 * street. No route leads to the island west of the date line.
 */
import { startJsonServer, type JsonServer } from './json-server.js';

const METRES_A_DEGREE = 111_000;
const METRES_A_SECOND = 10;
const TABLE = /^\/table\/v1\/driving\/([^?]+)\?(.*)$/;

export interface OsrmServer extends JsonServer {
  /** Option `--max-table-size`. */
  maxTableSize: number;
}

export async function startOsrm(maxTableSize = 100): Promise<OsrmServer> {
  const settings = { maxTableSize };
  const server = await startJsonServer((path) => {
    const [, coordinates, query] = TABLE.exec(path) ?? [];
    if (coordinates === undefined) return bad('InvalidUrl', 'URL string malformed');
    const places = coordinates.split(';').map((pair) => pair.split(',').map(Number) as [number, number]);
    const options = new URLSearchParams(query);
    const listed = (name: string): number[] =>
      options.has(name) ? options.get(name)!.split(';').map(Number) : [...places.keys()];
    const [sources, destinations] = [listed('sources'), listed('destinations')];
    if ([...sources, ...destinations].some((index) => !places[index])) return bad('InvalidOptions', 'index');
    if (sources.length * destinations.length > settings.maxTableSize ** 2)
      return bad('TooBig', 'Too many table coordinates');
    const far = places.findIndex(([, latitude]) => Math.abs(latitude) > 80);
    if (far >= 0) return bad('NoSegment', `Could not find a matching segment for coordinate ${far}`);
    const table = (of: (metres: number) => number) =>
      sources.map((from) =>
        destinations.map((to) => {
          const metres = metresOf(places[from]!, places[to]!);
          return metres === null ? null : of(metres);
        }),
      );
    const wanted = options.get('annotations')?.split(',') ?? ['duration'];
    return {
      status: 200,
      json: {
        code: 'Ok',
        sources: sources.map((index) => ({ location: places[index], name: '', distance: 0 })),
        destinations: destinations.map((index) => ({ location: places[index], name: '', distance: 0 })),
        ...(wanted.includes('duration') && { durations: table((metres) => rounded(metres / METRES_A_SECOND)) }),
        ...(wanted.includes('distance') && { distances: table(rounded) }),
      },
    };
  });
  return Object.defineProperty(server as OsrmServer, 'maxTableSize', {
    set: (size: number) => void (settings.maxTableSize = size),
  });
}

const bad = (code: string, message: string) => ({ status: 400, json: { code, message } });
const rounded = (value: number): number => Math.round(value * 10) / 10;

function metresOf(from: readonly [number, number], to: readonly [number, number]): number | null {
  const island = ([longitude]: readonly [number, number]): boolean => longitude > 179;
  if (island(from) !== island(to)) return null;
  return (Math.abs(from[0] - to[0]) + Math.abs(from[1] - to[1])) * METRES_A_DEGREE;
}
