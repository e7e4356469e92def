/** Renders SVG to pixels on a thread of the process's thread pool. */

/** Grey values, row by row: 0 is black. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly grey: Uint8Array;
}

export async function rasterOf(svg: string): Promise<Raster> {
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(svg, { background: 'white', font: { loadSystemFonts: false } });
  const { width, height, pixels } = image;
  const grey = new Uint8Array(width * height);
  // Black on white: the colours are equal, so one of them is the grey value.
  for (let at = 0; at < grey.length; at++) grey[at] = pixels[4 * at]!;
  return { width, height, grey };
}
