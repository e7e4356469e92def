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
  GEOJSON_INVALID: {
    status: 422,
    en: 'The file is no GeoJSON that a map can show; it goes wrong at {at}.',
    fr: 'Le fichier n’est pas du GeoJSON qu’une carte puisse montrer ; l’erreur est à {at}.',
    de: 'Die Datei ist kein GeoJSON, das eine Karte zeigen kann; falsch ist sie bei {at}.',
    es: 'El archivo no es un GeoJSON que un mapa pueda mostrar; falla en {at}.',
    'zh-Hans': '该文件不是地图可以显示的 GeoJSON，错误位于 {at}。',
    'zh-Hant': '該檔案不是地圖可以顯示的 GeoJSON，錯誤位於 {at}。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof MAP_MESSAGES> {}
}
