/** Shipments of the double: rates, purchase, refund and conversion of labels. */
import { newFee, newLabel, newRate, newShipment, newTracker, type Members, type ShipmentItem } from './objects.js';
import { failed, NOT_FOUND, ok, shown, type Reply } from './replies.js';
import type { Store } from './store.js';

/** Cents for the first ounce and for each additional ounce, and days. */
const SERVICES = [
  { carrier: 'USPS', service: 'GroundAdvantage', first: 593, more: 4, days: 3 },
  { carrier: 'USPS', service: 'Priority', first: 690, more: 9, days: 2 },
  { carrier: 'USPS', service: 'Express', first: 3_310, more: 12, days: 1 },
];
const ABROAD = [{ carrier: 'DHLExpress', service: 'ExpressWorldwide', first: 4_150, more: 20, days: 4 }];
/** No carrier goes there. */
const NOWHERE = 'AQ';

export type Shipments = ReturnType<typeof createShipments>;

export function createShipments(store: Store, origin: () => string) {
  const find = (account: string, id: string) => store.get<ShipmentItem>('shipment', account, id);

  /** `raised`: percent that is added to the rates. */
  function create(account: string, body: Members, raised: number): Reply {
    const given = body['shipment'] as Members | undefined;
    if (!given)
      return failed(422, 'PARAMETER.REQUIRED', 'Missing required parameter.', [
        { field: 'shipment', message: 'cannot be blank' },
      ]);
    const [from, to] = [given['from_address'] as Members | undefined, given['to_address'] as Members | undefined];
    if (!from?.['street1'] || !to?.['street1'])
      return failed(422, 'ADDRESS.PARAMETERS.INVALID', 'One or more address parameters were invalid.', [
        { field: 'street1', message: `cannot be blank for ${String(to?.['name'])}` },
      ]);
    const isAbroad = from['country'] !== to['country'];
    if (isAbroad && !given['customs_info'])
      return failed(422, 'SHIPMENT.CUSTOMS_INFO.REQUIRED', 'Customs info is required.');
    const shipment = newShipment(given);
    const services = to['country'] === NOWHERE ? [] : isAbroad ? ABROAD : SERVICES;
    const saturday = shipment.options['saturday_delivery'] === true;
    const rates = services
      .filter(({ service }) => !saturday || service === 'Express')
      .map(({ carrier, service, first, more, days }) => {
        const cents = Math.round((first + more * Math.ceil(shipment.parcel.weight - 1)) * (1 + raised / 100));
        return newRate(shipment.id, { carrier, service, cents, days });
      });
    const messages =
      rates.length > 0
        ? []
        : [{ carrier: 'USPS', carrier_account_id: 'ca_1', type: 'rate_error', message: 'No service there.' }];
    const created = { ...shipment, rates, messages };
    store.put(account, ['shipment', created]);
    return ok(shown(created), 201);
  }

  /** Why the shipment cannot be bought now. */
  function unbuyable({ postage_label: label, _buying: buying }: ShipmentItem): Reply | undefined {
    if (label) return failed(422, 'SHIPMENT.POSTAGE.EXISTS', 'Postage already exists for this shipment.');
    if (buying) return failed(422, 'SHIPMENT.PURCHASE.IN_PROGRESS', 'The purchase is in progress.');
    return undefined;
  }

  function buy(account: string, id: string, body: Members): Reply {
    const shipment = find(account, id);
    if (!shipment) return NOT_FOUND;
    const refusal = unbuyable(shipment);
    return refusal ?? complete(account, shipment, body);
  }

  /** A purchase that continues while its response is lost. */
  function begin(account: string, id: string, body: Members, ms: number): void {
    const shipment = find(account, id);
    if (!shipment || unbuyable(shipment)) return;
    store.put(account, ['shipment', { ...shipment, _buying: true }]);
    setTimeout(() => complete(account, find(account, id)!, body), ms);
  }

  function complete(account: string, shipment: ShipmentItem, body: Members): Reply {
    const rate = shipment.rates.find(({ id }) => id === (body['rate'] as Members | undefined)?.['id']);
    if (!rate) return failed(422, 'SHIPMENT.MISSING_RATE', 'The rate does not belong to this shipment.');
    const number = String(store.all('purchase').length + 1).padStart(9, '0');
    const code = `9400100110368${number}`;
    const insured = Number(body['insurance'] ?? 50);
    const { _buying: _ended, ...open } = shipment;
    const tracker = newTracker(code, rate.carrier, shipment.id);
    const bought: ShipmentItem = {
      ...(open as ShipmentItem),
      selected_rate: rate,
      tracking_code: code,
      postage_label: newLabel(origin(), String(shipment.options['label_format'] ?? 'PNG')),
      insurance: insured.toFixed(2),
      tracker,
      fees: [
        newFee('LabelFee', 0),
        newFee('PostageFee', Number(rate.rate)),
        newFee('InsuranceFee', body['insurance'] === undefined ? 0 : Math.max(insured / 100, 1)),
      ],
    };
    const purchase = { id: code, shipment_id: shipment.id, reference: shipment.reference, rate: rate.rate };
    store.put(account, ['shipment', bought], ['tracker', tracker], ['purchase', purchase]);
    return ok(shown(bought));
  }

  function refund(account: string, id: string): Reply {
    const shipment = find(account, id);
    if (!shipment) return NOT_FOUND;
    if (!shipment.postage_label) return failed(422, 'SHIPMENT.POSTAGE.REQUIRED', 'Postage is required.');
    const { refund_status: status, tracking_code: code } = shipment;
    if (status !== null && status !== 'rejected') return ok(shown(shipment));
    const tracker = store.list<ShipmentItem>('tracker', account).find((one) => one.tracking_code === code);
    if (tracker && !['unknown', 'pre_transit'].includes(String(tracker['status'])))
      return failed(422, 'SHIPMENT.REFUND.UNAVAILABLE', 'Unable to request refund. The parcel has been shipped.');
    const refunded = { ...shipment, refund_status: 'submitted' };
    const number = store.all('refund').length + 1;
    store.put(account, ['shipment', refunded], ['refund', { id: `refund-${number}`, shipment_id: id }]);
    return ok(shown(refunded));
  }

  function convert(account: string, id: string, format: string): Reply {
    const shipment = find(account, id);
    if (!shipment) return NOT_FOUND;
    const label = shipment.postage_label;
    if (!label) return failed(422, 'SHIPMENT.POSTAGE.REQUIRED', 'Postage is required.');
    if (label['label_file_type'] !== 'image/png' || !['PDF', 'ZPL'].includes(format))
      return failed(422, 'SHIPMENT.POSTAGE.FORMAT_UNAVAILABLE', 'The label cannot be converted.');
    const name = `label_${format.toLowerCase()}_url`;
    const { label_url: url } = newLabel(origin(), format);
    const converted = { ...shipment, postage_label: { ...label, [name]: label[name] ?? url } };
    store.put(account, ['shipment', converted]);
    return ok(shown(converted));
  }

  return { find, create, buy, begin, refund, convert };
}
