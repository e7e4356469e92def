/** What can be answered about accounts: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const ACCOUNT_MESSAGES = messages({
  WRONG_CREDENTIALS: {
    status: 401,
    en: 'E-mail address or password is wrong.',
    fr: 'L’adresse e-mail ou le mot de passe est incorrect.',
    de: 'E-Mail-Adresse oder Passwort ist falsch.',
    es: 'La dirección de correo o la contraseña no es correcta.',
    'zh-Hans': '电子邮件地址或密码错误。',
    'zh-Hant': '電子郵件地址或密碼錯誤。',
  },
  NOT_REHEARSED: {
    status: 409,
    en: 'This cannot be tried without doing it.',
    fr: 'Cette action ne peut pas être essayée à blanc.',
    de: 'Das lässt sich nicht zur Probe tun.',
    es: 'Esto no se puede probar sin hacerlo.',
    'zh-Hans': '此操作无法试运行。',
    'zh-Hant': '此操作無法試運行。',
  },
  ONE_CALLER: {
    status: 400,
    en: 'All calls of a batch must carry the same token.',
    fr: 'Tous les appels d’un lot doivent porter le même jeton.',
    de: 'Alle Aufrufe eines Stapels müssen dasselbe Token tragen.',
    es: 'Todas las llamadas de un lote deben llevar el mismo token.',
    'zh-Hans': '同一批次的所有调用必须使用相同的令牌。',
    'zh-Hant': '同一批次的所有呼叫必須使用相同的權杖。',
  },
  EMAIL_TAKEN: {
    status: 409,
    en: 'Another account has this e-mail address.',
    fr: 'Un autre compte utilise déjà cette adresse e-mail.',
    de: 'Diese E-Mail-Adresse gehört schon zu einem anderen Konto.',
    es: 'Otra cuenta ya usa esta dirección de correo.',
    'zh-Hans': '该电子邮件地址已被其他账户使用。',
    'zh-Hant': '該電子郵件地址已被其他帳戶使用。',
  },
  TOO_MANY_KEYS: {
    status: 409,
    en: 'At most {max} API keys at a time.',
    fr: 'Au plus {max} clés d’API à la fois.',
    de: 'Höchstens {max} API-Schlüssel gleichzeitig.',
    es: 'Como máximo {max} claves de API a la vez.',
    'zh-Hans': '最多同时拥有 {max} 个 API 密钥。',
    'zh-Hant': '最多同時擁有 {max} 個 API 金鑰。',
  },
  LOCKED_OUT: {
    status: 429,
    en: 'Too many failed sign-ins. Please try again in {seconds} s.',
    fr: 'Trop d’échecs de connexion. Veuillez réessayer dans {seconds} s.',
    de: 'Zu viele fehlgeschlagene Anmeldungen. Bitte in {seconds} s erneut versuchen.',
    es: 'Demasiados intentos fallidos. Vuelva a intentarlo en {seconds} s.',
    'zh-Hans': '登录失败次数过多，请在 {seconds} 秒后重试。',
    'zh-Hant': '登入失敗次數過多，請在 {seconds} 秒後重試。',
  },
  NO_SUCH_PROFILE: {
    status: 400,
    en: 'Unknown profile; known: {allowed}.',
    fr: 'Profil inconnu ; profils connus : {allowed}.',
    de: 'Unbekanntes Profil; bekannt sind: {allowed}.',
    es: 'Perfil desconocido; conocidos: {allowed}.',
    'zh-Hans': '未知的配置；可用：{allowed}。',
    'zh-Hant': '未知的設定檔；可用：{allowed}。',
  },
  INVALID_SCOPES: {
    status: 400,
    en: 'Scopes are a comma-separated list such as orders:read,orders:write.',
    fr: 'Les scopes forment une liste séparée par des virgules, comme orders:read,orders:write.',
    de: 'Scopes sind eine durch Kommas getrennte Liste wie orders:read,orders:write.',
    es: 'Los scopes son una lista separada por comas, como orders:read,orders:write.',
    'zh-Hans': '权限范围是以逗号分隔的列表，例如 orders:read,orders:write。',
    'zh-Hant': '權限範圍是以逗號分隔的清單，例如 orders:read,orders:write。',
  },
  API_TOKEN_RETIRED: {
    status: 401,
    en: 'The argument api_token is no longer accepted. Send the token as Authorization: Bearer.',
    fr: 'L’argument api_token n’est plus accepté. Envoyez le jeton dans Authorization: Bearer.',
    de: 'Das Argument api_token wird nicht mehr angenommen. Senden Sie das Token als Authorization: Bearer.',
    es: 'El argumento api_token ya no se acepta. Envíe el token como Authorization: Bearer.',
    'zh-Hans': '不再接受参数 api_token。请以 Authorization: Bearer 发送令牌。',
    'zh-Hant': '不再接受參數 api_token。請以 Authorization: Bearer 傳送權杖。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof ACCOUNT_MESSAGES> {}
}
