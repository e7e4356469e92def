/** What can be answered about stock: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const STOCK_MESSAGES = messages({
  SKU_NOT_FOUND: {
    status: 404,
    en: 'The warehouse has never had this SKU.',
    fr: 'L’entrepôt n’a jamais eu cette référence.',
    de: 'Diesen Artikel hatte das Lager nie.',
    es: 'El almacén nunca ha tenido este SKU.',
    'zh-Hans': '该仓库从未有过此 SKU。',
    'zh-Hant': '該倉庫從未有過此 SKU。',
  },
  NEGATIVE_STOCK: {
    status: 409,
    en: 'There is not so much of it there.',
    fr: 'Il n’y en a pas autant à cet endroit.',
    de: 'So viel davon ist dort nicht.',
    es: 'No hay tanta cantidad ahí.',
    'zh-Hans': '该处没有这么多数量。',
    'zh-Hant': '該處沒有這麼多數量。',
  },
  STOCK_RESERVED: {
    status: 409,
    en: 'What is there is reserved; {available} are to be had.',
    fr: 'Ce stock est réservé ; {available} sont disponibles.',
    de: 'Der Bestand ist reserviert; {available} sind verfügbar.',
    es: 'Las existencias están reservadas; hay {available} disponibles.',
    'zh-Hans': '库存已被预留；可用数量为 {available}。',
    'zh-Hant': '庫存已被保留；可用數量為 {available}。',
  },
  TOO_MANY_RESERVATIONS: {
    status: 409,
    en: 'At most {max} reservations of a SKU at a time.',
    fr: 'Au plus {max} réservations par référence à la fois.',
    de: 'Höchstens {max} Reservierungen eines Artikels zugleich.',
    es: 'Como máximo {max} reservas de un SKU a la vez.',
    'zh-Hans': '一个 SKU 同时最多 {max} 个预留。',
    'zh-Hant': '一個 SKU 同時最多 {max} 個保留。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof STOCK_MESSAGES> {}
}
