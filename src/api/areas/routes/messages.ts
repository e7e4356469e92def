/** What can be answered about routes: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const ROUTE_MESSAGES = messages({
  ROUTE_DRIVER_CHANGED: {
    status: 409,
    en: 'Somebody else drives the route by now.',
    fr: 'La tournée a désormais un autre chauffeur.',
    de: 'Die Tour fährt inzwischen jemand anderes.',
    es: 'Ahora la ruta la lleva otra persona.',
    'zh-Hans': '该路线现由他人驾驶。',
    'zh-Hant': '該路線現由他人駕駛。',
  },
  ROUTE_CLOSED: {
    status: 409,
    en: 'The route is closed.',
    fr: 'La tournée est clôturée.',
    de: 'Die Tour ist abgeschlossen.',
    es: 'La ruta está cerrada.',
    'zh-Hans': '该路线已关闭。',
    'zh-Hant': '該路線已關閉。',
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    en: 'There is no such route.',
    fr: 'Cette tournée n’existe pas.',
    de: 'Diese Tour gibt es nicht.',
    es: 'Esta ruta no existe.',
    'zh-Hans': '没有这条路线。',
    'zh-Hant': '沒有這條路線。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof ROUTE_MESSAGES> {}
}
