/** What can be answered about webhooks: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const WEBHOOK_MESSAGES = messages({
  WEBHOOK_URL_REFUSED: {
    status: 400,
    en: 'This address cannot be used: webhooks go to an https address without credentials, on the public internet.',
    fr: 'Cette adresse ne peut pas être utilisée : les webhooks vont à une adresse https sans identifiants, sur l’internet public.',
    de: 'Diese Adresse ist nicht möglich: Webhooks gehen an eine https-Adresse ohne Zugangsdaten im öffentlichen Internet.',
    es: 'Esta dirección no se puede usar: los webhooks van a una dirección https sin credenciales y accesible desde internet.',
    'zh-Hans': '无法使用此地址：webhook 只能发往公共互联网上不含凭据的 https 地址。',
    'zh-Hant': '無法使用此位址：webhook 只能傳送至公共網際網路上不含憑證的 https 位址。',
  },
  WEBHOOK_NOT_SET: {
    status: 409,
    en: 'Set an address and a secret for these webhooks first.',
    fr: 'Définissez d’abord une adresse et un secret pour ces webhooks.',
    de: 'Bitte zuerst eine Adresse und einen Signaturschlüssel für diese Webhooks festlegen.',
    es: 'Defina primero una dirección y un secreto para estos webhooks.',
    'zh-Hans': '请先为这些 webhook 设置地址和密钥。',
    'zh-Hant': '請先為這些 webhook 設定位址和金鑰。',
  },
  WEBHOOK_PENDING: {
    status: 409,
    en: 'This delivery is still under way.',
    fr: 'Cette livraison de webhook est encore en cours.',
    de: 'Diese Zustellung läuft noch.',
    es: 'Esta entrega de webhook todavía está en curso.',
    'zh-Hans': '此次投递仍在进行中。',
    'zh-Hant': '此次傳遞仍在進行中。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof WEBHOOK_MESSAGES> {}
}
