/** What can be answered about audit: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const AUDIT_MESSAGES = messages({
  NO_HEAD: {
    status: 404,
    en: 'No head of the log has been published yet.',
    fr: 'Aucune tête du journal n’a encore été publiée.',
    de: 'Es ist noch kein signierter Stand des Ereignislogs veröffentlicht.',
    es: 'Todavía no se ha publicado ninguna cabeza del registro.',
    'zh-Hans': '尚未发布任何日志树头。',
    'zh-Hant': '尚未發布任何日誌樹頭。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof AUDIT_MESSAGES> {}
}
