/** What can be answered about drivers: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const DRIVER_MESSAGES = messages({
  DRIVER_NOT_FOUND: {
    status: 404,
    en: 'There is no such driver.',
    fr: 'Ce chauffeur n’existe pas.',
    de: 'Diesen Fahrer gibt es nicht.',
    es: 'Este conductor no existe.',
    'zh-Hans': '没有这位司机。',
    'zh-Hant': '沒有這位司機。',
  },
  UNKNOWN_DRIVER: {
    status: 422,
    en: 'This is not a driver of your business.',
    fr: 'Ce n’est pas un chauffeur de votre entreprise.',
    de: 'Das ist kein Fahrer Ihres Unternehmens.',
    es: 'No es un conductor de su empresa.',
    'zh-Hans': '这不是贵公司的司机。',
    'zh-Hant': '這不是貴公司的司機。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof DRIVER_MESSAGES> {}
}
