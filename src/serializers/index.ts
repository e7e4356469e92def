/** The registry of formats. To add a format, add a file next to this one and a line here. */
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

/** The order decides for `Accept`: of two formats with the same media type, the first one is used. */
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
