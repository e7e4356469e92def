/** What can be answered about fleets: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const FLEET_MESSAGES = messages({
  FLEET_NOT_FOUND: {
    status: 404,
    en: 'There is no such fleet.',
    fr: 'Cette flotte n’existe pas.',
    de: 'Diese Flotte gibt es nicht.',
    es: 'Esta flota no existe.',
    'zh-Hans': '没有这个车队。',
    'zh-Hant': '沒有這個車隊。',
  },
  UNKNOWN_MEMBER: {
    status: 400,
    en: 'These are no people of the business who can be this: {ids}.',
    fr: 'Ces personnes de l’entreprise ne peuvent pas tenir ce rôle : {ids}.',
    de: 'Das sind keine Leute des Unternehmens, die das sein können: {ids}.',
    es: 'No son personas de la empresa que puedan serlo: {ids}.',
    'zh-Hans': '以下人员不属于该企业或不能担任此角色：{ids}。',
    'zh-Hant': '以下人員不屬於該企業或不能擔任此角色：{ids}。',
  },
  VEHICLE_ID_TAKEN: {
    status: 409,
    en: 'Each vehicle has an id of its own, and none of a vehicle that was retired.',
    fr: 'Chaque véhicule a son propre identifiant, jamais celui d’un véhicule retiré.',
    de: 'Jedes Fahrzeug hat eine eigene Kennung, keine eines ausgemusterten.',
    es: 'Cada vehículo tiene su propio identificador, nunca el de uno retirado.',
    'zh-Hans': '每辆车有自己的编号，不得使用已退役车辆的编号。',
    'zh-Hant': '每輛車有自己的編號，不得使用已除役車輛的編號。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof FLEET_MESSAGES> {}
}
