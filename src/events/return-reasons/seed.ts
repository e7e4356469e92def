/** The reasons that every business has before it sets its own. The business can replace and retire them. */
import type { Reason } from '../otep/reasons.js';
import type { Texts } from '../core/languages.js';
import type { ReturnReason } from './events.js';

const seeded = (code: string, labels: Texts, incident_reason?: Reason) => ({ code, labels, incident_reason });

const REASONS = [
  seeded(
    'damaged',
    { en: 'Damaged', fr: 'Endommagé', de: 'Beschädigt', es: 'Dañado', 'zh-Hans': '商品损坏', 'zh-Hant': '商品損壞' },
    'damaged',
  ),
  seeded('not_as_described', {
    en: 'Not as described',
    fr: 'Non conforme à la description',
    de: 'Entspricht nicht der Beschreibung',
    es: 'No coincide con la descripción',
    'zh-Hans': '与描述不符',
    'zh-Hant': '與描述不符',
  }),
  seeded('wrong_item', {
    en: 'Wrong item',
    fr: 'Mauvais article',
    de: 'Falscher Artikel',
    es: 'Artículo equivocado',
    'zh-Hans': '商品错误',
    'zh-Hant': '商品錯誤',
  }),
  seeded('size_too_large', {
    en: 'Size too large',
    fr: 'Taille trop grande',
    de: 'Zu groß',
    es: 'Talla demasiado grande',
    'zh-Hans': '尺寸太大',
    'zh-Hant': '尺寸太大了',
  }),
  seeded('size_too_small', {
    en: 'Size too small',
    fr: 'Taille trop petite',
    de: 'Zu klein',
    es: 'Talla demasiado pequeña',
    'zh-Hans': '尺寸太小',
    'zh-Hant': '尺寸太小了',
  }),
  seeded('color', {
    en: 'Colour not as expected',
    fr: 'Couleur différente de celle attendue',
    de: 'Farbe nicht wie erwartet',
    es: 'El color no es el esperado',
    'zh-Hans': '颜色不符合预期',
    'zh-Hant': '顏色不符合預期',
  }),
  seeded('style', {
    en: 'Style not as expected',
    fr: 'Style différent de celui attendu',
    de: 'Stil nicht wie erwartet',
    es: 'El estilo no es el esperado',
    'zh-Hans': '款式不符合预期',
    'zh-Hant': '款式不符合預期',
  }),
  seeded('changed_mind', {
    en: 'Changed their mind',
    fr: 'Changement d’avis',
    de: 'Meinung geändert',
    es: 'Cambio de opinión',
    'zh-Hans': '改变主意',
    'zh-Hant': '改變主意',
  }),
  seeded(
    'other',
    { en: 'Other', fr: 'Autre', de: 'Sonstiges', es: 'Otro', 'zh-Hans': '其他原因', 'zh-Hant': '其他理由' },
    'other',
  ),
  seeded('unknown', {
    en: 'Unknown',
    fr: 'Inconnu',
    de: 'Unbekannt',
    es: 'Desconocido',
    'zh-Hans': '原因未知',
    'zh-Hant': '理由未知',
  }),
  seeded(
    'refused_at_door',
    {
      en: 'Refused at the door',
      fr: 'Refusé à la porte',
      de: 'An der Tür abgelehnt',
      es: 'Rechazado en la puerta',
      'zh-Hans': '上门时拒收',
      'zh-Hant': '上門時拒收',
    },
    'recipient_refused',
  ),
  seeded('undeliverable', {
    en: 'Undeliverable',
    fr: 'Impossible à livrer',
    de: 'Unzustellbar',
    es: 'No se puede entregar',
    'zh-Hans': '无法投递',
    'zh-Hant': '無法投遞',
  }),
];

export const SEED: readonly ReturnReason[] = REASONS.map(({ code, labels, incident_reason }, index) => ({
  code,
  labels,
  needs_note: false,
  needs_photo: false,
  active: true,
  sort: (index + 1) * 10,
  ...(incident_reason && { incident_reason }),
}));
