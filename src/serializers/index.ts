/** The registry of formats. A new format is one file next to this one and one line here. */
import { aftership } from './aftership.js';
import { bigcommerce } from './bigcommerce.js';
import { epcis } from './epcis.js';
import type { Format } from './format.js';
import { magento } from './magento.js';
import { onerecord } from './onerecord.js';
import { otep } from './otep.js';
import { otlp } from './otlp.js';
import { prestashop } from './prestashop.js';
import { sensorthings } from './sensorthings.js';
import { shippo } from './shippo.js';
import { shopify } from './shopify.js';
import { uncefact } from './uncefact.js';
import { walmart } from './walmart.js';
import { woocommerce } from './woocommerce.js';

/** In the order that `Accept` falls back to: of two formats with one media type the first is meant. */
export const FORMATS: readonly Format[] = [
  otep,
  epcis,
  onerecord,
  uncefact,
  otlp,
  sensorthings,
  aftership,
  shopify,
  shippo,
  walmart,
  woocommerce,
  bigcommerce,
  magento,
  prestashop,
];

export const formatNames = (formats: readonly Format[] = FORMATS): string[] => formats.map((format) => format.name);
