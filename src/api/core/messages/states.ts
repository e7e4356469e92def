/** What any area answers because of its state: repeats, positions, confirmations, limits, outages. */
import { messages, type CodesOf } from './messages.js';

export const STATE_MESSAGES = messages({
  INVALID_IDEMPOTENCY_KEY: {
    status: 400,
    en: 'An idempotency key has 1 to {max} printable ASCII characters.',
    fr: 'Une clé d’idempotence a de 1 à {max} caractères ASCII imprimables.',
    de: 'Ein Idempotenzschlüssel hat 1 bis {max} druckbare ASCII-Zeichen.',
    es: 'Una clave de idempotencia tiene de 1 a {max} caracteres ASCII imprimibles.',
    'zh-Hans': '幂等键由 1 至 {max} 个可打印的 ASCII 字符组成。',
    'zh-Hant': '冪等鍵由 1 至 {max} 個可列印的 ASCII 字元組成。',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    en: 'This idempotency key was used for another request.',
    fr: 'Cette clé d’idempotence a servi à une autre requête.',
    de: 'Dieser Idempotenzschlüssel wurde für eine andere Anfrage verwendet.',
    es: 'Esta clave de idempotencia ya se usó para otra petición.',
    'zh-Hans': '此幂等键已用于另一个请求。',
    'zh-Hant': '此冪等鍵已用於另一個請求。',
  },
  IDEMPOTENCY_IN_FLIGHT: {
    status: 409,
    en: 'A request with this idempotency key is still being worked on.',
    fr: 'Une requête portant cette clé d’idempotence est encore en cours.',
    de: 'Eine Anfrage mit diesem Idempotenzschlüssel ist noch in Arbeit.',
    es: 'Una petición con esta clave de idempotencia aún está en curso.',
    'zh-Hans': '使用此幂等键的请求仍在处理中。',
    'zh-Hant': '使用此冪等鍵的請求仍在處理中。',
  },
  INVALID_POSITION: {
    status: 400,
    en: 'This is not an event position of this service.',
    fr: 'Ce n’est pas une position d’événement de ce service.',
    de: 'Das ist keine Ereignisposition dieses Dienstes.',
    es: 'No es una posición de evento de este servicio.',
    'zh-Hans': '这不是本服务的事件位置。',
    'zh-Hant': '這不是本服務的事件位置。',
  },
  POSITION_AHEAD: {
    status: 400,
    en: 'This event position lies beyond the newest event.',
    fr: 'Cette position se situe au-delà du dernier événement.',
    de: 'Diese Ereignisposition liegt nach dem neuesten Ereignis.',
    es: 'Esta posición está más allá del último evento.',
    'zh-Hans': '此事件位置超出了最新的事件。',
    'zh-Hant': '此事件位置超出了最新的事件。',
  },
  NOT_CAUGHT_UP: {
    status: 503,
    en: 'The data has not reached this event position yet. Please try again shortly.',
    fr: 'Les données n’ont pas encore atteint cette position. Veuillez réessayer dans un instant.',
    de: 'Die Daten haben diese Ereignisposition noch nicht erreicht. Bitte gleich noch einmal versuchen.',
    es: 'Los datos aún no han alcanzado esta posición. Inténtelo de nuevo en un momento.',
    'zh-Hans': '数据尚未到达此事件位置。请稍后重试。',
    'zh-Hant': '資料尚未到達此事件位置。請稍後重試。',
  },
  CONFIRM_REQUIRED: {
    status: 422,
    en: 'This needs confirm=true, or an approval: {operation} changes what cannot simply be changed back.',
    fr: 'Il faut confirm=true, ou une approbation : {operation} change ce qui ne se défait pas simplement.',
    de: 'Hierfür ist confirm=true nötig oder eine Freigabe: {operation} ändert, was sich nicht einfach zurücknehmen lässt.',
    es: 'Hace falta confirm=true, o una aprobación: {operation} cambia lo que no se deshace sin más.',
    'zh-Hans': '这需要 confirm=true 或审批：{operation} 的更改无法轻易撤销。',
    'zh-Hant': '這需要 confirm=true 或核准：{operation} 的變更無法輕易復原。',
  },
  RATE_LIMITED: {
    status: 429,
    en: 'Too many requests. Please try again in {seconds} s.',
    fr: 'Trop de requêtes. Veuillez réessayer dans {seconds} s.',
    de: 'Zu viele Anfragen. Bitte in {seconds} s erneut versuchen.',
    es: 'Demasiadas peticiones. Inténtelo de nuevo en {seconds} s.',
    'zh-Hans': '请求过多。请在 {seconds} 秒后重试。',
    'zh-Hant': '請求過多。請在 {seconds} 秒後重試。',
  },
  UNAVAILABLE: {
    status: 503,
    en: 'The service cannot do this at the moment. Please try again later.',
    fr: 'Le service ne peut pas le faire pour le moment. Veuillez réessayer plus tard.',
    de: 'Das ist im Moment nicht möglich. Bitte später erneut versuchen.',
    es: 'El servicio no puede hacerlo en este momento. Inténtelo más tarde.',
    'zh-Hans': '服务暂时无法处理。请稍后重试。',
    'zh-Hant': '服務暫時無法處理。請稍後重試。',
  },
  INTERNAL: {
    status: 500,
    en: 'Something went wrong on our side.',
    fr: 'Une erreur s’est produite de notre côté.',
    de: 'Bei uns ist etwas schiefgegangen.',
    es: 'Algo falló por nuestra parte.',
    'zh-Hans': '我们这边出了问题。',
    'zh-Hant': '我們這邊出了問題。',
  },
});

declare module './messages.js' {
  interface MessageCodes extends CodesOf<typeof STATE_MESSAGES> {}
}
