/** The lines of a bill in responses. */
import { z } from 'zod';
import { CHARGE_KINDS, type Charge } from '../../../events/bill/events.js';
import type { Language } from '../../../events/core/languages.js';
import type { OpenBill } from '../../../projections/bills/queries.js';
import { lineName, priceLineOutput } from '../pricing/rates.js';

export const billLine = priceLineOutput
  .extend({ kind: z.enum(CHARGE_KINDS), basis: priceLineOutput.shape.basis.optional() })
  .meta({ id: 'BillLine' });

export function toBillLine(line: Charge, names: OpenBill['charges']['line_names'], language: Language) {
  const { code, kind, amount, is_included, basis } = line;
  const name = names?.[code] ?? lineName(line, language);
  return { code, kind, name, amount, ...(is_included && { is_included }), ...(basis && { basis }) };
}
