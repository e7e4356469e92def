/** What can be answered about drivers: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const DRIVER_MESSAGES = messages({
  DRIVER_NOT_FOUND: {
    status: 404,
    en: 'There is no such driver.',
    fr: 'Ce chauffeur n’existe pas.',
    de: 'Diesen Fahrer gibt es nicht.',
    es: 'Este conductor no existe.',
    'zh-Hans': '没有这位司机。',
    'zh-Hant': '沒有這位司機。',
  },
  UNKNOWN_DRIVER: {
    status: 422,
    en: 'This is not a driver of your business.',
    fr: 'Ce n’est pas un chauffeur de votre entreprise.',
    de: 'Das ist kein Fahrer Ihres Unternehmens.',
    es: 'No es un conductor de su empresa.',
    'zh-Hans': '这不是贵公司的司机。',
    'zh-Hant': '這不是貴公司的司機。',
  },
  DOCUMENT_NOT_FOUND: {
    status: 404,
    en: 'There is no such document.',
    fr: 'Ce document n’existe pas.',
    de: 'Dieses Dokument gibt es nicht.',
    es: 'Este documento no existe.',
    'zh-Hans': '没有此证件。',
    'zh-Hant': '沒有此證件。',
  },
  DOCUMENT_DECIDED: {
    status: 409,
    en: 'This document was decided on already.',
    fr: 'Ce document a déjà fait l’objet d’une décision.',
    de: 'Über dieses Dokument wurde schon entschieden.',
    es: 'Ya se ha decidido sobre este documento.',
    'zh-Hans': '此证件已有审核结果。',
    'zh-Hant': '此證件已有審核結果。',
  },
  OWN_DOCUMENT: {
    status: 403,
    en: 'Somebody else decides on what one handed in oneself.',
    fr: 'Une autre personne décide de ce que l’on a remis soi-même.',
    de: 'Über selbst Eingereichtes entscheidet jemand anderes.',
    es: 'Otra persona decide sobre lo que uno mismo ha entregado.',
    'zh-Hans': '自己提交的证件须由他人审核。',
    'zh-Hant': '自己提交的證件須由他人審核。',
  },
  TOO_MANY_DOCUMENTS: {
    status: 422,
    en: 'A driver has at most {most} documents.',
    fr: 'Un chauffeur a au plus {most} documents.',
    de: 'Ein Fahrer hat höchstens {most} Dokumente.',
    es: 'Un conductor tiene como máximo {most} documentos.',
    'zh-Hans': '每位司机最多 {most} 份证件。',
    'zh-Hant': '每位司機最多 {most} 份證件。',
  },
  DOCUMENTS_MISSING: {
    status: 409,
    en: 'A document that is required is missing or over.',
    fr: 'Un document exigé manque ou n’est plus valable.',
    de: 'Ein verlangtes Dokument fehlt oder ist abgelaufen.',
    es: 'Falta un documento exigido o ha caducado.',
    'zh-Hans': '缺少必需证件或证件已过期。',
    'zh-Hant': '缺少必需證件或證件已過期。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof DRIVER_MESSAGES> {}
}
