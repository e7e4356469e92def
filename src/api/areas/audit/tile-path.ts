/** How https://c2sp.org/tlog-tiles writes a tile in a path: `x001/x234/067`, with `.p/<width>` where it is not full. */
export interface TilePath {
  readonly index: number;
  /** Hashes: 1 to 256. */
  readonly width: number;
}

/** Undefined for what has not the form at all; a number with needless zeros reads like one without. */
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
