/** What can be answered about maps: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const MAP_MESSAGES = messages({
  MAP_NOT_FOUND: {
    status: 404,
    en: 'There is no such map.',
    fr: 'Cette carte n’existe pas.',
    de: 'Diese Karte gibt es nicht.',
    es: 'Este mapa no existe.',
    'zh-Hans': '没有这张地图。',
    'zh-Hant': '沒有這張地圖。',
  },
  LAYER_NOT_FOUND: {
    status: 404,
    en: 'The map has no such layer.',
    fr: 'La carte n’a pas cette couche.',
    de: 'Die Karte hat diese Ebene nicht.',
    es: 'El mapa no tiene esta capa.',
    'zh-Hans': '该地图没有此图层。',
    'zh-Hant': '該地圖沒有此圖層。',
  },
  LAYER_NOT_PUBLIC: {
    status: 422,
    en: 'The layer {layer} shows something personal: a map with it cannot be published.',
    fr: 'La couche {layer} montre des données personnelles : une carte qui la contient ne peut pas être publiée.',
    de: 'Die Ebene {layer} zeigt Personenbezogenes: eine Karte mit ihr kann nicht veröffentlicht werden.',
    es: 'La capa {layer} muestra datos personales: un mapa con ella no puede publicarse.',
    'zh-Hans': '图层 {layer} 显示个人数据，包含它的地图无法发布。',
    'zh-Hant': '圖層 {layer} 顯示個人資料，包含它的地圖無法發布。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof MAP_MESSAGES> {}
}
