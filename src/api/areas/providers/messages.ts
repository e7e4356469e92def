/** What can be answered about providers: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const PROVIDER_MESSAGES = messages({
  UNKNOWN_PROVIDER: {
    status: 422,
    en: 'There is no such carrier.',
    fr: 'Ce transporteur n’existe pas.',
    de: 'Diesen Paketdienst gibt es nicht.',
    es: 'Este transportista no existe.',
    'zh-Hans': '没有这家承运商。',
    'zh-Hant': '沒有這家貨運業者。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof PROVIDER_MESSAGES> {}
}
