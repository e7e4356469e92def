/** A tile in the path format of https://c2sp.org/tlog-tiles: `x001/x234/067`, with `.p/<width>` for a partial tile. */
export interface TilePath {
  readonly index: number;
  /** Number of hashes: 1 to 256. */
  readonly width: number;
}

/** Returns undefined for a malformed path. Accepts numbers with needless leading zeros. */
export function parseTilePath(path: string): TilePath | undefined {
  const [, groups, last, width = '256'] = /^((?:x\d{3}\/){0,4})(\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path) ?? [];
  if (groups === undefined || Number(width) < 1 || Number(width) > 256) return undefined;
  return { index: Number(`${groups.replace(/\D/g, '')}${last}`), width: Number(width) };
}

export function formatTilePath({ index, width }: TilePath): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g)!;
  return `${groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/')}${width === 256 ? '' : `.p/${width}`}`;
}
