/** What can be answered about files: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const FILE_MESSAGES = messages({
  FILE_NOT_FOUND: {
    status: 404,
    en: 'There is no such file, or no more.',
    fr: 'Ce fichier n’existe pas ou plus.',
    de: 'Diese Datei gibt es nicht oder nicht mehr.',
    es: 'Este archivo no existe, o ya no.',
    'zh-Hans': '没有此文件，或文件已不存在。',
    'zh-Hant': '沒有此檔案，或檔案已不存在。',
  },
  FILE_TOO_LARGE: {
    status: 413,
    en: 'The file is larger than {max} bytes.',
    fr: 'Le fichier dépasse {max} octets.',
    de: 'Die Datei ist größer als {max} Byte.',
    es: 'El archivo ocupa más de {max} bytes.',
    'zh-Hans': '文件超过 {max} 字节。',
    'zh-Hant': '檔案超過 {max} 位元組。',
  },
  FILE_SUSPICIOUS: {
    status: 422,
    en: 'The archive is damaged, or unpacks to far more than it says.',
    fr: 'L’archive est endommagée ou se décompresse démesurément.',
    de: 'Das Archiv ist beschädigt oder entpackt sich ins Maßlose.',
    es: 'El archivo comprimido está dañado o se expande sin medida.',
    'zh-Hans': '压缩包已损坏，或解压后过大。',
    'zh-Hant': '壓縮檔已損壞，或解壓後過大。',
  },
  FILE_DAMAGED: {
    status: 500,
    en: 'The stored file is damaged.',
    fr: 'Le fichier enregistré est endommagé.',
    de: 'Die gespeicherte Datei ist beschädigt.',
    es: 'El archivo guardado está dañado.',
    'zh-Hans': '存储的文件已损坏。',
    'zh-Hant': '儲存的檔案已損壞。',
  },
  WRONG_BYTE: {
    status: 400,
    en: 'Line {line}, column {column}: this byte is no UTF-8.',
    fr: 'Ligne {line}, colonne {column} : cet octet n’est pas de l’UTF-8.',
    de: 'Zeile {line}, Spalte {column}: dieses Byte ist kein UTF-8.',
    es: 'Línea {line}, columna {column}: este byte no es UTF-8.',
    'zh-Hans': '第 {line} 行第 {column} 列：该字节不是 UTF-8。',
    'zh-Hant': '第 {line} 行第 {column} 欄：該位元組不是 UTF-8。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof FILE_MESSAGES> {}
}
