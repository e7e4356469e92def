/** Rates of carriers, before a label is bought. */
import { area } from './area.js';

export const labelRates = area({
  name: 'label-rates',
  errors: { CUSTOMS_NEEDED: 422 },
});
