/** The requests to carriers. They follow from the events of the order, so every repetition is the same. */
import type { PurchaseRequest, VoidRequest } from '../../../engines/outside/carriers/port.js';
import type { CarrierShipment } from '../../../engines/outside/carriers/shipment.js';
import { compact } from '../../../events/core/compact.js';
import { WHOLE_ORDER } from '../../../events/labels/effects.js';
import type { NewLabelOrder } from '../../../events/labels/events.js';
import type { LabelOrder } from '../../../events/labels/order.js';

/** A request, and the order that it is for. */
export interface OfLabelOrder<Request> {
  readonly orderId: number;
  readonly request: Request;
}

type Requested = Pick<
  NewLabelOrder,
  | 'order_id'
  | 'order_ref'
  | 'from'
  | 'to'
  | 'return_to'
  | 'packages'
  | 'contents'
  | 'customs'
  | 'options'
  | 'ship_date'
  | 'method_code'
  | 'label_format'
  | 'label_size'
  | 'shipments'
>;

/** Undefined: the personal data was erased, or the order has no such package. */
export function purchaseRequestOf(order: Requested, about: string): OfLabelOrder<PurchaseRequest> | undefined {
  const { from, to, return_to, contents = {}, customs, options, ship_date, order_ref } = order;
  const packages = order.packages.filter(({ package_id }) => about === WHOLE_ORDER || package_id === about);
  if (!from || !to || packages.length === 0) return undefined;
  const shipment: CarrierShipment = {
    from,
    to,
    packages: packages.map((one) => compact({ ...one, description: contents[one.package_id] })),
    ship_date,
    options,
    ...compact({ return_to, order_ref, customs }),
  };
  const { order_id: orderId, method_code, label_format, label_size } = order;
  const max_cost = order.shipments.find((one) => one.about === about)?.max_cost;
  return { orderId, request: { shipment, method_code, label_format, label_size, ...compact({ max_cost }) } };
}

/** Undefined: the shipment has no label. */
export function voidRequestOf(
  orderId: number,
  order: LabelOrder,
  about: string,
): OfLabelOrder<VoidRequest> | undefined {
  const shipment = order.shipments.find((one) => one.about === about);
  const [first] = shipment?.packages ?? [];
  const tracking_number = order.packages.find(({ package_id }) => package_id === first)?.tracking_number;
  if (!shipment?.bought || tracking_number === undefined) return undefined;
  return { orderId, request: { remote_id: shipment.bought.remote_id, tracking_number } };
}
