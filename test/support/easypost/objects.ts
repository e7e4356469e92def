/** Objects of the double, with the members of EasyPost's recorded objects. */
import { randomUUID } from 'node:crypto';

export type Members = Readonly<Record<string, unknown>>;

export const newId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`;
const now = (): string => new Date().toISOString().replace(/\.\d{3}Z$/, 'Z');

const dated = (prefix: string, object: string) => ({
  id: newId(prefix),
  object,
  created_at: now(),
  updated_at: now(),
  mode: 'test',
});

const textOr = (members: Members, name: string): unknown => members[name] ?? null;

export const newAddress = (given: Members): Members => ({
  ...dated('adr', 'Address'),
  ...Object.fromEntries(
    ['name', 'company', 'street1', 'street2', 'city', 'state', 'zip', 'phone', 'email'].map((name) => [
      name,
      textOr(given, name),
    ]),
  ),
  country: given['country'] ?? 'US',
  carrier_facility: null,
  residential: textOr(given, 'residential'),
  federal_tax_id: null,
  state_tax_id: null,
  verifications: {},
});

export interface RateItem extends Members {
  readonly id: string;
  readonly service: string;
  readonly carrier: string;
  readonly rate: string;
  readonly carrier_account_id: string;
}

export const USPS_ACCOUNT = 'ca_5ba7ca3632c54adeb17ad4bcac13c890';
export const DHL_ACCOUNT = 'ca_9b8143142a4940459a8e14396bf574f9';

export const newRate = (
  shipment: string,
  { carrier, service, cents, days }: { carrier: string; service: string; cents: number; days: number },
): RateItem => {
  const rate = (cents / 100).toFixed(2);
  return {
    ...dated('rate', 'Rate'),
    service,
    carrier,
    rate,
    currency: 'USD',
    retail_rate: rate,
    retail_currency: 'USD',
    list_rate: rate,
    list_currency: 'USD',
    billing_type: 'easypost',
    delivery_days: days,
    delivery_date: null,
    delivery_date_guaranteed: false,
    est_delivery_days: days,
    shipment_id: shipment,
    carrier_account_id: carrier === 'USPS' ? USPS_ACCOUNT : DHL_ACCOUNT,
  };
};

const FILE_TYPES: Readonly<Record<string, string>> = {
  PNG: 'image/png',
  PDF: 'application/pdf',
  ZPL: 'application/zpl',
};

export const newLabel = (origin: string, format: string): Members => ({
  ...dated('pl', 'PostageLabel'),
  date_advance: 0,
  integrated_form: 'none',
  label_date: now(),
  label_resolution: 300,
  label_size: '4x6',
  label_type: 'default',
  label_file_type: FILE_TYPES[format]!,
  label_url: `${origin}/files/${newId('file')}.${format.toLowerCase()}`,
  label_pdf_url: null,
  label_zpl_url: null,
  label_epl2_url: null,
  label_file: null,
});

export const newFee = (type: string, amount: number): Members => ({
  object: 'Fee',
  type,
  amount: amount.toFixed(5),
  charged: true,
  refunded: false,
});

export interface TrackerItem extends Members {
  readonly id: string;
  readonly tracking_code: string;
  readonly tracking_details: readonly Members[];
}

export const newTracker = (code: string, carrier: string, shipment: string | null): TrackerItem => ({
  ...dated('trk', 'Tracker'),
  tracking_code: code,
  status: 'unknown',
  status_detail: 'unknown',
  signed_by: null,
  weight: null,
  est_delivery_date: null,
  shipment_id: shipment,
  carrier,
  tracking_details: [],
  fees: [],
  carrier_detail: null,
  public_url: `https://track.example/${code}`,
});

/** `at`: RFC 3339. */
export const newDetail = (
  status: string,
  detail: string,
  at: string,
  message: string,
  city: string | null,
): Members => ({
  object: 'TrackingDetail',
  message,
  description: '',
  status,
  status_detail: detail,
  datetime: at,
  source: 'USPS',
  carrier_code: '',
  tracking_location: { object: 'TrackingLocation', city, state: city && 'TX', country: null, zip: city && '77063' },
});

export interface ShipmentItem extends Members {
  readonly id: string;
  readonly reference: string | null;
  readonly to_address: Members;
  readonly from_address: Members;
  readonly options: Members;
  readonly parcel: Members & { readonly weight: number };
  readonly rates: readonly RateItem[];
  readonly selected_rate: RateItem | null;
  readonly postage_label: Members | null;
  readonly tracking_code: string | null;
  readonly refund_status: string | null;
  readonly scan_form: Members | null;
  /** A purchase is in progress. */
  readonly _buying?: boolean;
}

/** A shipment as a request creates it, without rates. */
export function newShipment(given: Members): ShipmentItem {
  const [from, to] = [given['from_address'] as Members, given['to_address'] as Members];
  const [from_address, to_address] = [newAddress(from), newAddress(to)];
  const customs = given['customs_info'] as Members | undefined;
  return {
    ...dated('shp', 'Shipment'),
    is_return: false,
    messages: [],
    options: {
      ...(given['options'] as Members | undefined),
      currency: 'USD',
      payment: { type: 'SENDER' },
      date_advance: 0,
    },
    reference: (given['reference'] as string | undefined) ?? null,
    status: 'unknown',
    tracking_code: null,
    batch_id: null,
    batch_status: null,
    batch_message: null,
    customs_info: customs ? newCustoms(customs) : null,
    from_address,
    insurance: null,
    order_id: null,
    parcel: {
      ...dated('prcl', 'Parcel'),
      length: null,
      width: null,
      height: null,
      predefined_package: null,
      ...(given['parcel'] as Members & { readonly weight: number }),
    },
    postage_label: null,
    rates: [],
    refund_status: null,
    scan_form: null,
    selected_rate: null,
    tracker: null,
    to_address,
    usps_zone: 4,
    return_address: given['return_address'] ? newAddress(given['return_address'] as Members) : from_address,
    buyer_address: to_address,
    forms: [],
    fees: [],
  };
}

const newCustoms = (given: Members): Members => ({
  ...dated('cstinfo', 'CustomsInfo'),
  restriction_comments: null,
  declaration: null,
  eel_pfc: null,
  ...given,
  customs_items: (given['customs_items'] as readonly Members[]).map((item) => ({
    ...dated('cstitem', 'CustomsItem'),
    hs_tariff_number: null,
    code: null,
    manufacturer: null,
    currency: null,
    eccn: null,
    printed_commodity_identifier: null,
    ...item,
    value: String(item['value']),
  })),
});

export const newScanForm = (origin: string, shipments: readonly ShipmentItem[]): Members & { readonly id: string } => {
  const { mode: _mode, ...members } = dated('sf', 'ScanForm');
  return {
    ...members,
    tracking_codes: shipments.map(({ tracking_code: code }) => code),
    address: shipments[0]!.from_address,
    status: 'created',
    message: null,
    form_url: `${origin}/files/${newId('file')}.pdf`,
    form_file_type: null,
    batch_id: newId('batch'),
    confirmation: null,
  };
};
