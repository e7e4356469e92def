/**
 * Purchase of a label that the service prints itself. The number of a package is drawn once for the key of the purchase:
 * it proves that the label exists.
 */
import { compare } from '../../../../events/core/money.js';
import type { Outcome } from '../../adapter.js';
import type { CarrierCall, CarrierEffect, PurchasedPackage, PurchaseRequest, PurchaseResult } from '../port.js';
import { NotPrintable, type CarrierServices } from '../services.js';
import type { CarrierPackage } from '../shipment.js';
import type { SheetSettings } from './settings.js';

interface Cost {
  readonly amount: string;
  readonly currency: string;
  readonly service: string;
}

export function createSheetPurchase(services: CarrierServices): CarrierEffect<PurchaseRequest, PurchaseResult> {
  /** Undefined: the card does not price the shipment with this method. */
  async function costOf({ business, settings }: CarrierCall, request: PurchaseRequest): Promise<Cost | undefined> {
    const { rate_card_id } = settings as SheetSettings;
    const { prices } = await services.price(business, rate_card_id, request.shipment);
    const found = prices.find(({ service_code }) => service_code === request.method_code);
    return found && { amount: found.amount, currency: found.currency, service: found.name };
  }

  async function resultOf(
    { settings }: CarrierCall,
    key: string,
    request: PurchaseRequest,
    cost: Cost,
    numbers: readonly string[],
  ): Promise<Outcome<PurchaseResult>> {
    const { carrier_name: carrier } = settings as SheetSettings;
    const { shipment, label_format: format, label_size } = request;
    const packages: PurchasedPackage[] | undefined = await Promise.all(
      shipment.packages.map(async (one, index) => ({
        package_id: one.package_id,
        tracking_number: numbers[index]!,
        label: {
          format,
          bytes: await services.renderLabel(
            {
              carrier,
              service: cost.service,
              number: { scheme: 'sscc', value: numbers[index]! },
              from: shipment.from,
              to: shipment.to,
              ship_date: shipment.ship_date,
              weight_kg: one.weight_kg,
              piece: [index + 1, shipment.packages.length],
              order_ref: shipment.order_ref,
            },
            format,
            label_size,
          ),
        },
        billed_weight_kg: one.weight_kg,
      })),
    ).catch((error: unknown) => {
      if (error instanceof NotPrintable) return undefined;
      throw error;
    });
    // The number is lost. A look gives the same outcome.
    if (!packages) return { is: 'not_done', code: 'NOT_PRINTABLE', final: true };
    const { amount, currency, service } = cost;
    return { is: 'done', result: { remote_id: key, carrier, service, cost: amount, currency, packages } };
  }

  /** The numbers that were drawn for all packages; undefined: at least one was not. */
  async function drawnNumbers({ accountId }: CarrierCall, key: string, packages: readonly CarrierPackage[]) {
    const numbers = await Promise.all(packages.map((one) => services.drawnNumber(accountId, keyOf(key, one))));
    return numbers.every((one) => one !== undefined) ? numbers : undefined;
  }

  /** The result of a purchase that was made. The card may have changed, so the cost is at most the agreed one. */
  async function madePurchase(call: CarrierCall, key: string, request: PurchaseRequest, numbers: readonly string[]) {
    const now = await costOf(call, request);
    const most = request.max_cost;
    const cost = now && !exceeds(now, most) ? now : most && { service: now?.service ?? request.method_code, ...most };
    return cost ? resultOf(call, key, request, cost, numbers) : ({ is: 'unknown', cause: 'no_price' } as const);
  }

  return {
    dedupe: 'key',

    async act(call, key, request) {
      const { packages } = request.shipment;
      const before = await drawnNumbers(call, key, packages);
      if (before) return madePurchase(call, key, request, before);
      const cost = await costOf(call, request);
      if (!cost) return { is: 'not_done', code: 'NOT_SERVED', final: true };
      if (exceeds(cost, request.max_cost)) return { is: 'not_done', code: 'PRICE_CHANGED', final: true };
      const numbers: string[] = [];
      for (const one of packages) {
        const number = await services.drawNumber(call.accountId, keyOf(key, one));
        if (number === undefined) return { is: 'not_done', code: 'NUMBERS_EXHAUSTED', final: true };
        numbers.push(number);
      }
      return resultOf(call, key, request, cost, numbers);
    },

    async look(call, key, request) {
      if (!request) return { is: 'unknown', cause: 'request_erased' };
      const numbers = await drawnNumbers(call, key, request.shipment.packages);
      if (!numbers) return { is: 'not_done', code: 'NOT_PURCHASED', final: false };
      return madePurchase(call, key, request, numbers);
    },
  };
}

const keyOf = (key: string, { package_id }: CarrierPackage): string => `${key}/${package_id}`;

/** A cost in another currency also exceeds the maximum. */
const exceeds = (cost: Cost, most: PurchaseRequest['max_cost']): boolean =>
  most !== undefined && (most.currency !== cost.currency || compare(cost.amount, most.amount) > 0);
