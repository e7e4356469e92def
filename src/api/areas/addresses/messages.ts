/** What can be answered about address books: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const ADDRESS_MESSAGES = messages({
  ADDRESS_NOT_FOUND: {
    status: 404,
    en: 'There is no such address.',
    fr: 'Cette adresse n’existe pas.',
    de: 'Diese Adresse gibt es nicht.',
    es: 'Esta dirección no existe.',
    'zh-Hans': '没有这个地址。',
    'zh-Hant': '沒有這個地址。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof ADDRESS_MESSAGES> {}
}
