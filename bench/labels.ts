/** Duration of one printed label per format, one label at a time, as a user waits for it. */
import { renderLabel } from '../src/engines/label-printing/render-label.js';
import { LABEL_FORMATS, type LabelFormat } from '../src/engines/outside/carriers/shipment.js';
import { LABEL } from '../test/support/inputs/printed-labels.js';
import { median } from './support.js';
import { ms, type Line } from './table.js';

const WARM_UP = 30;
const GOALS: Partial<Record<LabelFormat, string>> = { pdf: '10 ms' };

/** Prints different 4 by 6 inch labels: `labels` of each format. */
export async function measureLabels(labels: number): Promise<Line[]> {
  const durations = new Map<LabelFormat, number[]>(LABEL_FORMATS.map((format) => [format, []]));
  for (let index = -WARM_UP; index < labels; index++)
    for (const format of LABEL_FORMATS) {
      const label = { ...LABEL, to: { ...LABEL.to, street: `Invalidenstraße ${index + WARM_UP}` } };
      const started = performance.now();
      await renderLabel(label, format, '4x6');
      if (index >= 0) durations.get(format)!.push(performance.now() - started);
    }
  return LABEL_FORMATS.map((format) => {
    const goal = GOALS[format];
    return {
      name: `one label as ${format.toUpperCase()}, 4 by 6 inches, p50`,
      value: ms(median(durations.get(format)!)),
      ...(goal && { goal }),
    };
  });
}
