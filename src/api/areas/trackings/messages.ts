/** What can be answered about trackings: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const TRACKING_MESSAGES = messages({
  TRACKING_NOT_FOUND: {
    status: 404,
    en: 'No parcel is known by this number.',
    fr: 'Aucun colis n’est connu sous ce numéro.',
    de: 'Unter dieser Nummer ist keine Sendung bekannt.',
    es: 'No se conoce ningún paquete con este número.',
    'zh-Hans': '没有与此单号对应的包裹。',
    'zh-Hant': '沒有與此號碼對應的包裹。',
  },
  UNKNOWN_FORMAT: {
    status: 400,
    en: 'Unknown format; known: {allowed}.',
    fr: 'Format inconnu ; formats connus : {allowed}.',
    de: 'Unbekanntes Format; bekannt: {allowed}.',
    es: 'Formato desconocido; formatos conocidos: {allowed}.',
    'zh-Hans': '未知的格式；已知的有：{allowed}。',
    'zh-Hant': '未知的格式；已知的有：{allowed}。',
  },
  TOO_MANY_EVENTS: {
    status: 413,
    en: 'At most {max} events can be sent at once.',
    fr: 'Au plus {max} événements peuvent être envoyés à la fois.',
    de: 'Höchstens {max} Ereignisse können auf einmal gesendet werden.',
    es: 'Se pueden enviar como máximo {max} eventos a la vez.',
    'zh-Hans': '一次最多可发送 {max} 个事件。',
    'zh-Hant': '一次最多可傳送 {max} 個事件。',
  },
  TOO_MANY_PARCELS: {
    status: 413,
    en: 'The events name too many parcels for one push: at most {max}, each counted for every event that names it.',
    fr: 'Les événements nomment trop de colis pour un seul envoi : au plus {max}, comptés pour chaque événement qui les nomme.',
    de: 'Die Ereignisse nennen zu viele Sendungen für eine Übertragung: höchstens {max}, gezählt für jedes Ereignis, das sie nennt.',
    es: 'Los eventos nombran demasiados envíos para una sola solicitud: como máximo {max}, contados por cada evento que los nombra.',
    'zh-Hans': '事件涉及的包裹过多，无法一次推送：最多 {max} 个，每个事件提到一次计一次。',
    'zh-Hant': '事件涉及的包裹過多，無法一次推送：最多 {max} 個，每個事件提到一次計一次。',
  },
  UNKNOWN_SHIPMENT: {
    en: 'This shipment is not known, and you may not open a new one.',
    fr: 'Cet envoi est inconnu et vous ne pouvez pas en ouvrir de nouveau.',
    de: 'Diese Sendung ist nicht bekannt, und eine neue dürfen Sie nicht anlegen.',
    es: 'Este envío no se conoce y usted no puede abrir uno nuevo.',
    'zh-Hans': '没有此货件，且您无权新建。',
    'zh-Hant': '沒有此貨件，且您無權新增。',
  },
  NUMBER_RESERVED: {
    en: 'This service gives out this number itself: only who was given the shipment may push to it.',
    fr: 'Ce numéro est attribué par ce service : seul celui à qui l’envoi a été confié peut y ajouter des événements.',
    de: 'Diese Nummer vergibt der Dienst selbst: Nur wem die Sendung übergeben wurde, darf dazu melden.',
    es: 'Este número lo asigna este servicio: solo quien recibió el envío puede informar sobre él.',
    'zh-Hans': '此号码由本服务分配：只有受托该货件的一方才能推送。',
    'zh-Hant': '此號碼由本服務配發：只有受託該貨件的一方才能推送。',
  },
  NOT_YOUR_SHIPMENT: {
    en: 'This shipment was not given to you.',
    fr: 'Cet envoi ne vous a pas été confié.',
    de: 'Diese Sendung wurde Ihnen nicht übergeben.',
    es: 'Este envío no le fue confiado.',
    'zh-Hans': '此货件未交由您处理。',
    'zh-Hant': '此貨件未交由您處理。',
  },
  NOT_YOUR_EVENT: {
    en: 'Only the producer of an event can retract it.',
    fr: 'Seul le producteur d’un événement peut l’annuler.',
    de: 'Nur der Erzeuger eines Ereignisses kann es zurückziehen.',
    es: 'Solo el productor de un evento puede anularlo.',
    'zh-Hans': '只有事件的提供者才能撤回该事件。',
    'zh-Hant': '只有事件的提供者才能撤回該事件。',
  },
  NOT_ONE_PARCEL: {
    status: 400,
    en: 'A document about exactly one parcel is needed; this one names {count}.',
    fr: 'Il faut un document sur un seul colis ; celui-ci en nomme {count}.',
    de: 'Nötig ist ein Dokument über genau ein Paket; dieses nennt {count}.',
    es: 'Se necesita un documento sobre un solo paquete; este nombra {count}.',
    'zh-Hans': '需要一份仅涉及一个包裹的文档；该文档涉及 {count} 个。',
    'zh-Hant': '需要一份僅涉及一個包裹的文件；該文件涉及 {count} 個。',
  },
  NOTHING_ACCEPTED: {
    status: 422,
    en: 'None of the events was accepted.',
    fr: 'Aucun des événements n’a été accepté.',
    de: 'Keines der Ereignisse wurde angenommen.',
    es: 'No se aceptó ninguno de los eventos.',
    'zh-Hans': '没有任何事件被接受。',
    'zh-Hant': '沒有任何事件被接受。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof TRACKING_MESSAGES> {}
}
