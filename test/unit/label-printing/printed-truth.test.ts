/**
 * Acceptance 3 of labels: an independent reader reads the number of random labels from each format and size. A number
 * that no scanner reads stops the parcel.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { renderLabel } from '../../../src/engines/label-printing/render-label.js';
import { LABEL_SIZES } from '../../../src/engines/outside/carriers/shipment.js';
import { atDepth } from '../../support/depth.js';
import { anyLabel } from '../../support/inputs/printed-labels.js';
import { codesIn, drawRectangles, printZpl, rectanglesIn } from '../../support/validators/label-decoders.js';
import { SEED } from '../../support/worlds/seed.js';

const LABELS = atDepth(1_000, 9);
const POINTS_PER_MM = 72 / 25.4;
/** Bars are the only rectangles of this height. */
const BAR_HEIGHT = 32;
const MODULES = { '4x6': 0.5, a6: 0.5, a4: 0.75 };

describe('the number on a printed label', () => {
  const labels = fc
    .sample(anyLabel, { numRuns: LABELS, seed: SEED })
    .map((label, index) => ({
      label,
      size: LABEL_SIZES[index % LABEL_SIZES.length]!,
      code: { symbology: ']C1', text: `(00)${label.number.value}` },
      name: `SEED=${SEED} label ${index}`,
    }));

  it('is read from PNG', async () => {
    for (const { label, size, code, name } of labels)
      expect(await codesIn(await renderLabel(label, 'png', size)), name).to.deep.equal([code]);
  });

  it('is read from ZPL as another program interprets it', async () => {
    for (const { label, size, code, name } of labels)
      expect(await codesIn(await printZpl(await renderLabel(label, 'zpl', size), size)), name).to.deep.equal([code]);
  });

  it('is read from the bars in the content stream of PDF, which are whole modules', async () => {
    for (const { label, size, code, name } of labels) {
      const height = BAR_HEIGHT * POINTS_PER_MM;
      const bars = rectanglesIn(await renderLabel(label, 'pdf', size)).filter(
        (bar) => Math.abs(bar.height - height) < 0.01,
      );
      const module = MODULES[size] * POINTS_PER_MM;
      // Start, FNC1, ten pairs of digits and the check character have three bars each, the stop character has four.
      expect(bars, name).to.have.length(3 * 13 + 4);
      for (const { width } of bars) expect(width / module, name).to.be.closeTo(Math.round(width / module), 0.002);
      expect(await codesIn(drawRectangles(bars, 4 / module)), name).to.deep.equal([code]);
    }
  });
});
