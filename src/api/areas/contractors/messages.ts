/** What can be answered about contractors: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const CONTRACTOR_MESSAGES = messages({
  CONTRACTOR_NOT_FOUND: {
    status: 404,
    en: 'There is no such contractor.',
    fr: 'Ce sous-traitant n’existe pas.',
    de: 'Diesen Subunternehmer gibt es nicht.',
    es: 'Este subcontratista no existe.',
    'zh-Hans': '没有这个承包商。',
    'zh-Hant': '沒有這個承包商。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof CONTRACTOR_MESSAGES> {}
}
