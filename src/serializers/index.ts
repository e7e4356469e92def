/** The registry of formats. A new format is one file beside this one and one line here. */
import { aftership } from './aftership.js';
import { bigcommerce } from './bigcommerce.js';
import type { Format } from './format.js';
import { magento } from './magento.js';
import { otep } from './otep.js';
import { prestashop } from './prestashop.js';
import { shippo } from './shippo.js';
import { shopify } from './shopify.js';
import { walmart } from './walmart.js';
import { woocommerce } from './woocommerce.js';

export const FORMATS: readonly Format[] = [
  otep,
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
