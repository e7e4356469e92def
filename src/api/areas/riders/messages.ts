/** What can be answered about riders: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const RIDER_MESSAGES = messages({
  INSTANT_NOT_GRANTED: {
    status: 403,
    en: 'The driver was not granted instant delivery.',
    fr: 'Le chauffeur n’a pas accès aux livraisons immédiates.',
    de: 'Der Fahrer darf keine Sofortlieferungen fahren.',
    es: 'El conductor no tiene permiso para entregas inmediatas.',
    'zh-Hans': '该司机未获准即时配送。',
    'zh-Hant': '該司機未獲准即時配送。',
  },
  INSTANT_NOT_FOUND: {
    status: 404,
    en: 'Nobody asked for a rider for this order.',
    fr: 'Personne n’a demandé de livreur pour cette commande.',
    de: 'Für diesen Auftrag hat niemand einen Fahrer gesucht.',
    es: 'Nadie ha pedido un repartidor para este pedido.',
    'zh-Hans': '此订单没有请求骑手。',
    'zh-Hant': '此訂單沒有請求騎手。',
  },
  INSTANT_ACCEPTED: {
    status: 409,
    en: 'A rider has accepted this order.',
    fr: 'Un livreur a accepté cette commande.',
    de: 'Ein Fahrer hat diesen Auftrag angenommen.',
    es: 'Un repartidor ha aceptado este pedido.',
    'zh-Hans': '已有骑手接受此订单。',
    'zh-Hant': '已有騎手接受此訂單。',
  },
  INSTANT_NEEDS_PLACE: {
    status: 422,
    en: 'Nobody knows where the goods are: coordinates are needed.',
    fr: 'On ne sait pas où est la marchandise : il faut des coordonnées.',
    de: 'Niemand weiß, wo die Ware ist: Koordinaten werden gebraucht.',
    es: 'No se sabe dónde está la mercancía: se necesitan coordenadas.',
    'zh-Hans': '货物位置未知：需要坐标。',
    'zh-Hant': '貨物位置未知：需要座標。',
  },
  OFFER_NOT_FOUND: {
    status: 404,
    en: 'There is no such offer.',
    fr: 'Cette offre n’existe pas.',
    de: 'Dieses Angebot gibt es nicht.',
    es: 'Esta oferta no existe.',
    'zh-Hans': '没有此邀约。',
    'zh-Hant': '沒有此邀約。',
  },
  OFFER_TAKEN: {
    status: 409,
    en: 'Another rider was first.',
    fr: 'Un autre livreur a été plus rapide.',
    de: 'Ein anderer Fahrer war schneller.',
    es: 'Otro repartidor fue más rápido.',
    'zh-Hans': '其他骑手已抢先接受。',
    'zh-Hant': '其他騎手已搶先接受。',
  },
  OFFER_EXPIRED: {
    status: 409,
    en: 'The time to answer is over.',
    fr: 'Le délai de réponse est écoulé.',
    de: 'Die Zeit für eine Antwort ist um.',
    es: 'El plazo de respuesta ha terminado.',
    'zh-Hans': '回复时间已过。',
    'zh-Hant': '回覆時間已過。',
  },
  ORDER_GONE: {
    status: 409,
    en: 'The order is not to be had any more.',
    fr: 'La commande n’est plus disponible.',
    de: 'Der Auftrag ist nicht mehr zu haben.',
    es: 'El pedido ya no está disponible.',
    'zh-Hans': '此订单已不可接受。',
    'zh-Hant': '此訂單已不可接受。',
  },
  NOT_ON_DUTY: {
    status: 409,
    en: 'The driver is not on duty: nothing was stored.',
    fr: 'Le chauffeur n’est pas en service : rien n’a été enregistré.',
    de: 'Der Fahrer ist nicht im Dienst: nichts wurde gespeichert.',
    es: 'El conductor no está de servicio: no se ha guardado nada.',
    'zh-Hans': '司机不在岗：未保存任何内容。',
    'zh-Hant': '司機不在崗：未儲存任何內容。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof RIDER_MESSAGES> {}
}
