/** What can be answered about routes: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const ROUTE_MESSAGES = messages({
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
