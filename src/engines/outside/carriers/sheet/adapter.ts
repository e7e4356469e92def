/**
 * The business as its own carrier, without a network. Prices come from a rate card, numbers are drawn from the range of
 * the account, and the service prints the labels.
 */
import { z } from 'zod';
import { LABEL_FORMATS, LABEL_SIZES, SHIPMENT_OPTIONS, type CarrierAdapter, type CarrierCall } from '../port.js';
import type { CarrierServices } from '../services.js';
import { createSheetPurchase } from './purchase.js';
import { rangeOf, sheetSettings, type SheetSettings } from './settings.js';

/** Settings are checked before they are stored. */
export const settingsOf = ({ settings }: Pick<CarrierCall, 'settings'>): SheetSettings => settings as SheetSettings;

export function createSheet(services: CarrierServices): CarrierAdapter {
  return {
    id: 'sheet',
    name: 'Own deliveries',
    settings: sheetSettings,
    credentials: z.strictObject({}),
    capabilities: {
      rates: true,
      void: true,
      manifest: false,
      tracking: [],
      formats: LABEL_FORMATS,
      sizes: LABEL_SIZES,
      multi_piece: false,
      customs: true,
      // A service of the card serves the options that it lists.
      options: SHIPMENT_OPTIONS,
    },
    statusMapping: [],

    numberRange: (settings) => rangeOf(settings as SheetSettings),

    async test(call) {
      const found = await services.services(call.business, settingsOf(call).rate_card_id);
      return found.length > 0
        ? { is: 'done', result: {} }
        : { is: 'not_done', code: 'RATE_CARD_NOT_FOUND', final: true };
    },

    async methods(call) {
      const { rate_card_id, carrier_name } = settingsOf(call);
      const found = await services.services(call.business, rate_card_id);
      return found.map(({ service_code, name }) => ({
        code: service_code,
        name,
        carrier: carrier_name,
        formats: LABEL_FORMATS,
      }));
    },

    async rate(call, shipment) {
      const { prices, errors } = await services.price(call.business, settingsOf(call).rate_card_id, shipment);
      return {
        rates: prices.map(({ service_code, amount, currency, days_max }) => ({
          method_code: service_code,
          cost: amount,
          currency,
          ...(days_max !== undefined && { delivery_days: days_max }),
        })),
        errors,
      };
    },

    purchase: createSheetPurchase(services),

    // The number of a void label is not used again, so nothing needs to be done.
    void: {
      dedupe: 'key',
      act: () => Promise.resolve({ is: 'done', result: { status: 'refunded' } }),
      look: () => Promise.resolve({ is: 'done', result: { status: 'refunded' } }),
    },
  };
}
