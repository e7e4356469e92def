/** The shipment that a carrier rates and transports. */

export const LABEL_FORMATS = ['pdf', 'png', 'zpl'] as const;
export type LabelFormat = (typeof LABEL_FORMATS)[number];

export const LABEL_SIZES = ['4x6', 'a6', 'a4'] as const;
export type LabelSize = (typeof LABEL_SIZES)[number];

export const SHIPMENT_OPTIONS = ['signature', 'insurance', 'saturday', 'cod', 'residential'] as const;
export type ShipmentOption = (typeof SHIPMENT_OPTIONS)[number];

/** Address of a sender or recipient. `country`: ISO 3166-1 alpha-2. */
export interface CarrierStop {
  readonly name?: string | undefined;
  readonly company?: string | undefined;
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
  readonly street?: string | undefined;
  readonly street_2?: string | undefined;
  readonly city?: string | undefined;
  readonly region?: string | undefined;
  readonly postal_code?: string | undefined;
  readonly country: string;
}

/** Weight in kilograms, sides in centimetres. */
export interface CarrierPackage {
  /** Position in the order, from 1, as text. */
  readonly package_id: string;
  readonly weight_kg: number;
  readonly length_cm?: number | undefined;
  readonly width_cm?: number | undefined;
  readonly height_cm?: number | undefined;
  /** Exact decimal number. */
  readonly declared_value?: string | undefined;
  readonly currency?: string | undefined;
  readonly description?: string | undefined;
}

export interface CustomsItem {
  readonly description: string;
  readonly quantity: number;
  /** Value of one piece: exact decimal number. */
  readonly value: string;
  readonly currency: string;
  /** Weight of one piece. */
  readonly weight_kg: number;
  readonly hs_code?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly origin: string;
}

export interface Customs {
  readonly contents: 'merchandise' | 'documents' | 'gift' | 'sample' | 'returned_goods' | 'other';
  readonly incoterm: 'DAP' | 'DDP' | 'DDU';
  readonly items: readonly CustomsItem[];
}

export interface CarrierShipment {
  readonly from: CarrierStop;
  readonly to: CarrierStop;
  readonly return_to?: CarrierStop | undefined;
  readonly packages: readonly CarrierPackage[];
  /** `YYYY-MM-DD`. */
  readonly ship_date: string;
  readonly order_ref?: string | undefined;
  readonly options: {
    readonly signature?: 'none' | 'any' | 'adult' | undefined;
    /** Exact decimal number, in the currency of the account. */
    readonly insurance_amount?: string | undefined;
    readonly residential?: boolean | undefined;
    readonly saturday?: boolean | undefined;
    /** Exact decimal number, in the currency of the account. */
    readonly cod_amount?: string | undefined;
  };
  readonly customs?: Customs | undefined;
}
