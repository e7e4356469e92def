/** What can be answered about the board of routes: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const BOARD_MESSAGES = messages({
  ROUTE_CLAIMED: {
    status: 409,
    en: 'Somebody else has this route.',
    fr: 'Quelqu’un d’autre a cette tournée.',
    de: 'Diese Tour hat jemand anderes.',
    es: 'Otra persona tiene esta ruta.',
    'zh-Hans': '这条路线已被他人领取。',
    'zh-Hant': '這條路線已被他人領取。',
  },
  ROUTE_STARTED: {
    status: 409,
    en: 'The route is under way.',
    fr: 'La tournée est en cours.',
    de: 'Die Tour ist unterwegs.',
    es: 'La ruta está en marcha.',
    'zh-Hans': '该路线已出发。',
    'zh-Hant': '該路線已出發。',
  },
  ROUTE_NOT_STARTED: {
    status: 409,
    en: 'The route was not started.',
    fr: 'La tournée n’a pas commencé.',
    de: 'Die Tour wurde nicht begonnen.',
    es: 'La ruta no ha empezado.',
    'zh-Hans': '该路线尚未出发。',
    'zh-Hant': '該路線尚未出發。',
  },
  ROUTE_FREE: {
    status: 409,
    en: 'Nobody has this route: claim it.',
    fr: 'Personne n’a cette tournée : prenez-la.',
    de: 'Diese Tour hat niemand: nehmen Sie sie.',
    es: 'Nadie tiene esta ruta: tómela.',
    'zh-Hans': '这条路线无人领取：请直接领取。',
    'zh-Hant': '這條路線無人領取：請直接領取。',
  },
  ROUTE_TIMES_NEEDED: {
    status: 422,
    en: 'The route was not planned: say when it starts and ends.',
    fr: 'La tournée n’est pas planifiée : indiquez le début et la fin.',
    de: 'Die Tour ist nicht geplant: Anfang und Ende werden gebraucht.',
    es: 'La ruta no está planificada: indique cuándo empieza y termina.',
    'zh-Hans': '该路线尚未规划：请说明开始和结束时间。',
    'zh-Hant': '該路線尚未規劃：請說明開始和結束時間。',
  },
  TIME_TAKEN: {
    status: 409,
    en: 'The driver is bound to {what} at this time.',
    fr: 'Le chauffeur est engagé sur {what} à ce moment.',
    de: 'Der Fahrer ist zu dieser Zeit an {what} gebunden.',
    es: 'El conductor está ocupado con {what} a esa hora.',
    'zh-Hans': '司机在此时间已有 {what}。',
    'zh-Hant': '司機在此時間已有 {what}。',
  },
  NOT_CLAIMABLE: {
    status: 409,
    en: 'This cannot be had: {why}.',
    fr: 'Ceci ne peut être pris : {why}.',
    de: 'Das ist nicht zu haben: {why}.',
    es: 'No se puede tomar: {why}.',
    'zh-Hans': '无法领取：{why}。',
    'zh-Hant': '無法領取：{why}。',
  },
  STANDBY_FULL: {
    status: 409,
    en: 'As many as may be are waiting: {most}.',
    fr: 'Le nombre maximal attend déjà : {most}.',
    de: 'Es warten schon so viele, wie dürfen: {most}.',
    es: 'Ya esperan tantos como se permite: {most}.',
    'zh-Hans': '候补人数已满：{most}。',
    'zh-Hant': '候補人數已滿：{most}。',
  },
  STANDBY_HOLD_OVER: {
    status: 409,
    en: 'The route is not held for you any more.',
    fr: 'La tournée ne vous est plus réservée.',
    de: 'Die Tour wird nicht mehr für Sie freigehalten.',
    es: 'La ruta ya no está reservada para usted.',
    'zh-Hans': '该路线已不再为您保留。',
    'zh-Hant': '該路線已不再為您保留。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof BOARD_MESSAGES> {}
}
