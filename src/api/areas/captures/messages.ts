/** What can be answered about captures: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const CAPTURE_MESSAGES = messages({
  STANDARD_VERSION: {
    status: 406,
    en: 'Version {version} is not supported; supported: {supported}.',
    fr: 'La version {version} n’est pas prise en charge ; prise en charge : {supported}.',
    de: 'Version {version} wird nicht unterstützt; unterstützt wird: {supported}.',
    es: 'La versión {version} no es compatible; compatible: {supported}.',
    'zh-Hans': '不支持版本 {version}；支持的版本：{supported}。',
    'zh-Hant': '不支援版本 {version}；支援的版本：{supported}。',
  },
  INVALID_EPCIS: {
    status: 400,
    en: 'The document is not valid EPCIS 2.0.',
    fr: 'Le document n’est pas un document EPCIS 2.0 valide.',
    de: 'Das Dokument ist kein gültiges EPCIS 2.0.',
    es: 'El documento no es un EPCIS 2.0 válido.',
    'zh-Hans': '该文档不是有效的 EPCIS 2.0 文档。',
    'zh-Hant': '該文件不是有效的 EPCIS 2.0 文件。',
  },
  ROLLED_BACK: {
    status: 422,
    en: 'Not recorded, because another event of the same capture was rejected.',
    fr: 'Non enregistré, car un autre événement de la même capture a été rejeté.',
    de: 'Nicht aufgezeichnet, weil ein anderes Ereignis derselben Erfassung abgelehnt wurde.',
    es: 'No se registró porque otro evento de la misma captura fue rechazado.',
    'zh-Hans': '未记录，因为同一批采集中的另一个事件被拒绝。',
    'zh-Hant': '未記錄，因為同一批擷取中的另一個事件被拒絕。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof CAPTURE_MESSAGES> {}
}
