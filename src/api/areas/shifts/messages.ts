/** What can be answered about shifts: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const SHIFT_MESSAGES = messages({
  SHIFT_NOT_FOUND: {
    status: 404,
    en: 'There is no such shift.',
    fr: 'Ce service n’existe pas.',
    de: 'Diese Schicht gibt es nicht.',
    es: 'Este turno no existe.',
    'zh-Hans': '没有这个班次。',
    'zh-Hant': '沒有這個班次。',
  },
  SHIFT_OVERLAPS: {
    status: 409,
    en: 'The driver has another shift at this time.',
    fr: 'Le chauffeur a un autre service à ce moment.',
    de: 'Der Fahrer hat zu dieser Zeit eine andere Schicht.',
    es: 'El conductor tiene otro turno a esa hora.',
    'zh-Hans': '司机在此时间已有另一个班次。',
    'zh-Hant': '司機在此時間已有另一個班次。',
  },
  SHIFT_MONTH: {
    status: 422,
    en: 'A shift stays in its month (UTC): cancel it and plan another one.',
    fr: 'Un service reste dans son mois (UTC) : annulez-le et planifiez-en un autre.',
    de: 'Eine Schicht bleibt in ihrem Monat (UTC): absagen und eine andere planen.',
    es: 'Un turno permanece en su mes (UTC): cancélelo y planifique otro.',
    'zh-Hans': '班次不能移到其他月份（UTC）：请取消后重新安排。',
    'zh-Hant': '班次不能移到其他月份（UTC）：請取消後重新安排。',
  },
  VEHICLE_NOT_FOUND: {
    status: 404,
    en: 'The fleet has no such vehicle.',
    fr: 'La flotte n’a pas ce véhicule.',
    de: 'Dieses Fahrzeug hat die Flotte nicht.',
    es: 'La flota no tiene este vehículo.',
    'zh-Hans': '车队没有这辆车。',
    'zh-Hant': '車隊沒有這輛車。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof SHIFT_MESSAGES> {}
}
