/** What can be answered about transfers: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const TRANSFER_MESSAGES = messages({
  TRANSFER_NOT_FOUND: {
    status: 404,
    en: 'There is no such transfer.',
    fr: 'Ce transfert n’existe pas.',
    de: 'Diese Umlagerung gibt es nicht.',
    es: 'No existe ese traslado.',
    'zh-Hans': '没有这个调拨。',
    'zh-Hant': '沒有這個調撥。',
  },
  TRANSFER_STATE: {
    status: 409,
    en: 'The transfer is {status}: this cannot be done now.',
    fr: 'Le transfert est {status} : ce n’est pas possible maintenant.',
    de: 'Die Umlagerung ist {status}: das geht jetzt nicht.',
    es: 'El traslado está {status}: ahora no es posible.',
    'zh-Hans': '调拨状态为 {status}：现在无法执行。',
    'zh-Hant': '調撥狀態為 {status}：現在無法執行。',
  },
  TRANSFER_UNDER_WAY: {
    status: 409,
    en: 'The step before is not finished yet.',
    fr: 'L’étape précédente n’est pas encore terminée.',
    de: 'Der Schritt davor ist noch nicht fertig.',
    es: 'El paso anterior aún no ha terminado.',
    'zh-Hans': '上一步尚未完成。',
    'zh-Hant': '上一步尚未完成。',
  },
  TRANSFER_TOO_OLD: {
    status: 409,
    en: 'A transfer is rolled back within {days} days.',
    fr: 'Un transfert peut être annulé pendant {days} jours.',
    de: 'Eine Umlagerung lässt sich {days} Tage lang zurücknehmen.',
    es: 'Un traslado se puede deshacer durante {days} días.',
    'zh-Hans': '调拨只能在 {days} 天内回退。',
    'zh-Hant': '調撥只能在 {days} 天內回退。',
  },
  NOT_OF_TRANSFER: {
    status: 404,
    en: 'The transfer moved no package with these numbers: {numbers}.',
    fr: 'Le transfert n’a déplacé aucun colis portant ces numéros : {numbers}.',
    de: 'Die Umlagerung hat kein Paket mit diesen Nummern bewegt: {numbers}.',
    es: 'El traslado no movió ningún paquete con estos números: {numbers}.',
    'zh-Hans': '该调拨没有移动过以下编号的包裹：{numbers}。',
    'zh-Hant': '該調撥沒有移動過以下編號的包裹：{numbers}。',
  },
  SAME_WAREHOUSE: {
    status: 400,
    en: 'From and to are the same warehouse.',
    fr: 'Le départ et l’arrivée sont le même entrepôt.',
    de: 'Von und nach sind dasselbe Lager.',
    es: 'El origen y el destino son el mismo almacén.',
    'zh-Hans': '起点与终点是同一仓库。',
    'zh-Hant': '起點與終點是同一倉庫。',
  },
  IN_TRANSFER: {
    status: 409,
    en: 'The package is in a transfer.',
    fr: 'Le colis est en cours de transfert.',
    de: 'Das Paket ist in einer Umlagerung.',
    es: 'El paquete está en un traslado.',
    'zh-Hans': '该包裹正在调拨中。',
    'zh-Hant': '該包裹正在調撥中。',
  },
  MOVED_ON: {
    status: 409,
    en: 'The package has moved on since.',
    fr: 'Le colis a continué son chemin depuis.',
    de: 'Das Paket ist seitdem weitergegangen.',
    es: 'El paquete ha seguido su camino desde entonces.',
    'zh-Hans': '该包裹此后已继续流转。',
    'zh-Hant': '該包裹此後已繼續流轉。',
  },
  DELIVERED: {
    status: 409,
    en: 'The package has been delivered since.',
    fr: 'Le colis a été livré depuis.',
    de: 'Das Paket ist seitdem zugestellt.',
    es: 'El paquete se ha entregado desde entonces.',
    'zh-Hans': '该包裹此后已送达。',
    'zh-Hant': '該包裹此後已送達。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof TRANSFER_MESSAGES> {}
}
