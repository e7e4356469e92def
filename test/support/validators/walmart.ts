/** Walmart Marketplace v3: the order members of its OpenAPI document that a timeline or its order can fill. */
import { z } from 'zod';
import { bySchema } from './validate.js';

const CARRIERS = [
  'UPS',
  'USPS',
  'FedEx',
  'Airborne',
  'OnTrac',
  'DHL Ecommerce - US',
  'DHL',
  'LS',
  'UDS',
  'UPSMI',
  'FDX',
  'PILOT',
  'ESTES',
  'SAIA',
  'Royal Mail',
  'Canada Post',
  'Japan Post',
  'Deutsche Post',
  'GLS',
  'Asendia',
  '4PX',
  'YunExpress',
];

const millis = z
  .int()
  .min(Date.UTC(2000, 0, 1))
  .max(Date.UTC(2100, 0, 1));
const quantity = z.strictObject({ unitOfMeasurement: z.enum(['EACH', 'EA']), amount: z.string().regex(/^\d+$/) });

const trackingInfo = z
  .strictObject({
    shipDateTime: millis,
    carrierName: z.union([
      z.strictObject({ carrier: z.enum(CARRIERS) }),
      z.strictObject({ otherCarrier: z.string().min(1) }),
    ]),
    methodCode: z.enum(['Standard', 'Express', 'OneDay', 'Freight', 'WhiteGlove', 'Value']),
    trackingNumber: z.string().min(1),
    trackingURL: z.url().optional(),
  })
  .refine(
    ({ carrierName, trackingURL }) => 'carrier' in carrierName || trackingURL !== undefined,
    'another carrier needs a tracking address',
  );

const lineStatus = z.strictObject({
  status: z.enum(['Created', 'Acknowledged', 'Shipped', 'Delivered', 'Cancelled', 'Refund']),
  statusQuantity: quantity,
  trackingInfo: trackingInfo.optional(),
});

const line = z.strictObject({
  lineNumber: z.string().min(1),
  orderLineQuantity: quantity,
  statusDate: millis.optional(),
  orderLineStatuses: z.strictObject({ orderLineStatus: z.array(lineStatus).min(1) }),
});

const filled = z.string().min(1);
const shippingInfo = z.strictObject({
  phone: filled.optional(),
  estimatedDeliveryDate: millis.optional(),
  estimatedShipDate: millis.optional(),
  methodCode: z.enum(['Standard', 'Express', 'OneDay', 'Freight', 'WhiteGlove', 'Value']),
  postalAddress: z.strictObject({
    name: filled.optional(),
    address1: filled.optional(),
    address2: filled.optional(),
    city: filled.optional(),
    state: filled.optional(),
    postalCode: filled.optional(),
    country: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .optional(),
    addressType: filled.optional(),
  }),
});

/** Paths that the vendor's schema requires in an order. */
export const WALMART_REQUIRED = [
  'purchaseOrderId',
  'customerOrderId',
  'customerEmailId',
  'orderDate',
  'shippingInfo.phone',
  'shippingInfo.estimatedDeliveryDate',
  'shippingInfo.estimatedShipDate',
  'shippingInfo.methodCode',
  'shippingInfo.postalAddress.name',
  'shippingInfo.postalAddress.address1',
  'shippingInfo.postalAddress.city',
  'shippingInfo.postalAddress.state',
  'shippingInfo.postalAddress.postalCode',
  'shippingInfo.postalAddress.country',
  'shippingInfo.postalAddress.addressType',
  'orderLines.orderLine.0.lineNumber',
  'orderLines.orderLine.0.item',
  'orderLines.orderLine.0.charges',
  'orderLines.orderLine.0.orderLineQuantity',
  'orderLines.orderLine.0.statusDate',
  'orderLines.orderLine.0.orderLineStatuses',
] as const;

export const validateWalmart = bySchema(
  z.strictObject({
    order: z.strictObject({
      purchaseOrderId: filled.optional(),
      customerOrderId: filled.optional(),
      customerEmailId: filled.optional(),
      orderDate: millis.optional(),
      shippingInfo: shippingInfo.optional(),
      orderLines: z.strictObject({ orderLine: z.array(line).min(1) }),
    }),
  }),
);
