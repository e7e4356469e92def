/** What can be answered about points of interest: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const POI_MESSAGES = messages({
  POI_NOT_FOUND: {
    status: 404,
    en: 'There is no such point of interest.',
    fr: 'Ce point d’intérêt n’existe pas.',
    de: 'Diesen Ort gibt es nicht.',
    es: 'Este punto de interés no existe.',
    'zh-Hans': '没有这个兴趣点。',
    'zh-Hant': '沒有這個興趣點。',
  },
  TOO_MANY_POIS: {
    status: 409,
    en: 'A business has at most {max} points of interest.',
    fr: 'Une entreprise a au plus {max} points d’intérêt.',
    de: 'Ein Unternehmen hat höchstens {max} Orte.',
    es: 'Una empresa tiene como máximo {max} puntos de interés.',
    'zh-Hans': '每个企业最多 {max} 个兴趣点。',
    'zh-Hant': '每個企業最多 {max} 個興趣點。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof POI_MESSAGES> {}
}
