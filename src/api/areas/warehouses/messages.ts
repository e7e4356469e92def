/** What can be answered about warehouses: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const WAREHOUSE_MESSAGES = messages({
  WAREHOUSE_NOT_FOUND: {
    status: 404,
    en: 'There is no such warehouse.',
    fr: 'Cet entrepôt n’existe pas.',
    de: 'Dieses Lager gibt es nicht.',
    es: 'Este almacén no existe.',
    'zh-Hans': '没有这个仓库。',
    'zh-Hant': '沒有這個倉庫。',
  },
  WAREHOUSE_CODE_TAKEN: {
    status: 409,
    en: 'Another warehouse of the business has this code.',
    fr: 'Un autre entrepôt de l’entreprise porte ce code.',
    de: 'Ein anderes Lager des Unternehmens hat diesen Code.',
    es: 'Otro almacén de la empresa tiene este código.',
    'zh-Hans': '该企业的另一个仓库已使用此代码。',
    'zh-Hant': '該企業的另一個倉庫已使用此代碼。',
  },
  WAREHOUSE_IN_USE: {
    status: 409,
    en: 'There is still stock in this warehouse.',
    fr: 'Il reste du stock dans cet entrepôt.',
    de: 'In diesem Lager liegt noch Bestand.',
    es: 'Todavía hay existencias en este almacén.',
    'zh-Hans': '此仓库仍有库存。',
    'zh-Hant': '此倉庫仍有庫存。',
  },
  TOO_MANY_WAREHOUSES: {
    status: 409,
    en: 'A business has at most {max} warehouses.',
    fr: 'Une entreprise a au plus {max} entrepôts.',
    de: 'Ein Unternehmen hat höchstens {max} Lager.',
    es: 'Una empresa tiene como máximo {max} almacenes.',
    'zh-Hans': '每个企业最多 {max} 个仓库。',
    'zh-Hant': '每個企業最多 {max} 個倉庫。',
  },
  TOO_MANY_LOCATIONS: {
    status: 409,
    en: 'A warehouse has at most {max} locations.',
    fr: 'Un entrepôt a au plus {max} emplacements.',
    de: 'Ein Lager hat höchstens {max} Plätze.',
    es: 'Un almacén tiene como máximo {max} ubicaciones.',
    'zh-Hans': '每个仓库最多 {max} 个库位。',
    'zh-Hant': '每個倉庫最多 {max} 個儲位。',
  },
  LOCATION_NOT_FOUND: {
    status: 404,
    en: 'The warehouse has no such location.',
    fr: 'L’entrepôt n’a pas cet emplacement.',
    de: 'Das Lager hat diesen Platz nicht.',
    es: 'El almacén no tiene esta ubicación.',
    'zh-Hans': '该仓库没有此库位。',
    'zh-Hant': '該倉庫沒有此儲位。',
  },
  LOCATION_IN_USE: {
    status: 409,
    en: 'There is stock at {codes}.',
    fr: 'Il y a du stock à {codes}.',
    de: 'An {codes} liegt Bestand.',
    es: 'Hay existencias en {codes}.',
    'zh-Hans': '{codes} 仍有库存。',
    'zh-Hant': '{codes} 仍有庫存。',
  },
  LOCATION_BLOCKED: {
    status: 409,
    en: 'This location is blocked.',
    fr: 'Cet emplacement est bloqué.',
    de: 'Dieser Platz ist gesperrt.',
    es: 'Esta ubicación está bloqueada.',
    'zh-Hans': '此库位已被封锁。',
    'zh-Hant': '此儲位已被封鎖。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof WAREHOUSE_MESSAGES> {}
}
