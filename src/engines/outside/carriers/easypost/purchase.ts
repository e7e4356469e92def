/**
 * The purchase of a label (dedupe `object`). A shipment is created free of charge with the id of the effect, and is then
 * bought. EasyPost sells a shipment once, and reading it shows whether it was bought.
 */
import { compare, sum } from '../../../../events/core/money.js';
import type { NotDone, Outcome } from '../../adapter.js';
import type { CarrierEffect, PurchaseRequest, PurchaseResult } from '../port.js';
import { toEasypostCall, type EasypostCall } from './account.js';
import type { EasypostClient } from './client.js';
import { boughtLabel } from './label-files.js';
import { shipmentSchema, type Shipment } from './objects.js';
import { cheapest, costOf, messagesOf } from './rates.js';
import { ACCESS_REFUSALS, BUY_REFUSALS, CREATE_REFUSALS } from './refusals.js';
import { toShipmentRequest, unserved } from './shipment-request.js';

const refused = (code: string, text?: string, final = true): NotDone => ({ is: 'not_done', code, text, final });
const ABSENT = refused('absent', undefined, false);
const unknown = (cause: string): Outcome<never> => ({ is: 'unknown', cause });

/** Reads a shipment. `not_done`: the account may not read it. Another account does not have it: unknown. */
export const readShipment = (client: EasypostClient, call: EasypostCall, id: string): Promise<Outcome<Shipment>> =>
  client.send({
    call,
    method: 'GET',
    path: `shipments/${encodeURIComponent(id)}`,
    schema: shipmentSchema,
    refusals: ACCESS_REFUSALS,
  });

export function createPurchase(
  client: EasypostClient,
  now: () => number,
): CarrierEffect<PurchaseRequest, PurchaseResult> &
  Required<Pick<CarrierEffect<PurchaseRequest, PurchaseResult>, 'reserve'>> {
  return {
    dedupe: 'object',

    async reserve(carrierCall, key, { shipment, label_format, label_size }) {
      const call = toEasypostCall(carrierCall);
      const [parcel, ...more] = shipment.packages;
      if (!parcel || more.length > 0) return refused('NOT_SERVED', 'EasyPost buys one label per package.');
      if (label_size !== '4x6') return refused('NOT_SERVED', `EasyPost has no labels of the size ${label_size}.`);
      const error = unserved(shipment);
      if (error) return refused(error.code, error.text);
      const { settings } = call;
      const created = await client.send({
        call,
        method: 'POST',
        path: 'shipments',
        body: toShipmentRequest({ shipment, parcel, settings, now: now(), reference: key, labelFormat: label_format }),
        schema: shipmentSchema,
        refusals: CREATE_REFUSALS,
      });
      return created.is === 'done' ? { is: 'done', result: { remoteId: created.result.id } } : created;
    },

    async act(carrierCall, _key, request, remoteId) {
      if (remoteId === undefined) return unknown('no_object');
      const call = toEasypostCall(carrierCall);
      const read = await readShipment(client, call, remoteId);
      if (read.is !== 'done') return read;
      const bought = toPurchase(read.result, request);
      if (bought.is !== 'not_done') return bought;
      const rate = chosenRate(read.result, request, call.settings);
      if (rate.is !== 'done') return rate;
      const insured = request.shipment.options.insurance_amount;
      const answer = await client.send({
        call,
        method: 'POST',
        path: `shipments/${encodeURIComponent(remoteId)}/buy`,
        body: { rate: { id: rate.result }, ...(insured !== undefined && { insurance: Number(insured) }) },
        schema: shipmentSchema,
        refusals: BUY_REFUSALS,
      });
      if (answer.is === 'done') {
        const purchase = toPurchase(answer.result, request);
        return purchase.is === 'not_done' ? unknown('no_label') : purchase;
      }
      if (answer.is === 'unknown') return answer;
      // Only a shipment without a label proves the refusal.
      const after = await readShipment(client, call, remoteId);
      const state = after.is === 'done' ? toPurchase(after.result, request) : unknown('unconfirmed');
      return state.is === 'not_done' ? answer : state;
    },

    async look(carrierCall, _key, request, remoteId) {
      if (remoteId === undefined) return unknown('no_object');
      const read = await readShipment(client, toEasypostCall(carrierCall), remoteId);
      if (read.is === 'done') return toPurchase(read.result, request);
      return read.is === 'not_done' ? unknown('no_access') : read;
    },
  };
}

/** The id of the rate to buy. */
function chosenRate(
  { rates, messages }: Shipment,
  { method_code, max_cost, shipment }: PurchaseRequest,
  settings: EasypostCall['settings'],
): Outcome<string> {
  const rate = cheapest(rates).get(method_code);
  const cost = rate && costOf(rate, settings, shipment.options.insurance_amount);
  if (!rate || !cost) {
    const texts = messagesOf(messages).flatMap(({ text }) => (text === undefined ? [] : [text]));
    return refused('NO_RATE', texts.join(' ').slice(0, 500), false);
  }
  if (max_cost && (max_cost.currency !== cost.currency || compare(cost.amount, max_cost.amount) > 0))
    return refused('PRICE_CHANGED', `${cost.amount} ${cost.currency}`);
  return { is: 'done', result: rate.id };
}

/** `not_done`: the shipment is not bought. */
function toPurchase(shipment: Shipment, request: PurchaseRequest | undefined): Outcome<PurchaseResult> {
  const { id, postage_label: label, tracking_code: number, selected_rate: rate } = shipment;
  if (!label && number === null) return ABSENT;
  if (!label || number === null || !rate) return unknown('incomplete');
  const parcel = request?.shipment.packages[0];
  if (!parcel) return unknown('no_request');
  const file = boughtLabel(label);
  const cost = paidFor(shipment, rate);
  return {
    is: 'done',
    result: {
      remote_id: id,
      carrier: rate.carrier,
      service: rate.service,
      cost: cost.amount,
      currency: cost.currency,
      packages: [{ package_id: parcel.package_id, tracking_number: number, ...(file && { label: file }) }],
    },
  };
}

/** The rate, and EasyPost's fees for the label and for insurance. Fees are in US dollars. */
export function paidFor({ fees }: Pick<Shipment, 'fees'>, { rate, currency }: NonNullable<Shipment['selected_rate']>) {
  const charged = currency === 'USD' ? fees.filter((fee) => fee.charged && fee.type !== 'PostageFee') : [];
  return sum({ amount: rate, currency }, ...charged.map(({ amount }) => ({ amount, currency })));
}
