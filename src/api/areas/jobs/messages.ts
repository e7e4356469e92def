/** What can be answered about jobs: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const JOB_MESSAGES = messages({
  JOB_NOT_FOUND: {
    status: 404,
    en: 'There is no such job.',
    fr: 'Cette tâche n’existe pas.',
    de: 'Diesen Auftrag gibt es nicht.',
    es: 'Esta tarea no existe.',
    'zh-Hans': '没有此任务。',
    'zh-Hant': '沒有此任務。',
  },
  ARTIFACT_NOT_FOUND: {
    status: 404,
    en: 'There is no such file of the job, or no more.',
    fr: 'La tâche n’a pas ou plus ce fichier.',
    de: 'Diese Datei des Auftrags gibt es nicht oder nicht mehr.',
    es: 'La tarea no tiene ese archivo, o ya no lo tiene.',
    'zh-Hans': '该任务没有此文件，或文件已不存在。',
    'zh-Hant': '該任務沒有此檔案，或檔案已不存在。',
  },
  ARTIFACT_DAMAGED: {
    status: 500,
    en: 'The stored file is damaged.',
    fr: 'Le fichier enregistré est endommagé.',
    de: 'Die gespeicherte Datei ist beschädigt.',
    es: 'El archivo guardado está dañado.',
    'zh-Hans': '存储的文件已损坏。',
    'zh-Hant': '儲存的檔案已損壞。',
  },
  NOT_STOPPABLE: {
    status: 409,
    en: 'A job of this kind keeps nothing when it is ended early.',
    fr: 'Une tâche de ce type ne conserve rien si elle est interrompue.',
    de: 'Ein Auftrag dieser Art behält nichts, wenn er vorher beendet wird.',
    es: 'Una tarea de este tipo no conserva nada si se interrumpe.',
    'zh-Hans': '此类任务提前结束时不保留结果。',
    'zh-Hant': '此類任務提前結束時不保留結果。',
  },
  TOO_MANY_JOBS: {
    status: 429,
    en: 'Too many jobs wait already. Try again later.',
    fr: 'Trop de tâches sont en attente. Réessayez plus tard.',
    de: 'Es warten bereits zu viele Aufträge. Versuchen Sie es später erneut.',
    es: 'Ya hay demasiadas tareas en espera. Inténtelo más tarde.',
    'zh-Hans': '等待中的任务过多，请稍后再试。',
    'zh-Hant': '等待中的任務過多，請稍後再試。',
  },
  SUBJECT_ERASED: {
    status: 410,
    en: 'It spoke of somebody who was erased meanwhile.',
    fr: 'Il s’agissait d’une personne qui a été effacée entre-temps.',
    de: 'Es ging um jemanden, der inzwischen gelöscht wurde.',
    es: 'Trataba de una persona que se ha borrado entretanto.',
    'zh-Hans': '涉及的人员信息已在此期间被清除。',
    'zh-Hant': '涉及的人員資訊已在此期間被清除。',
  },
  JOB_CRASHED: {
    status: 500,
    en: 'The job was begun several times and never finished.',
    fr: 'La tâche a été commencée plusieurs fois sans jamais aboutir.',
    de: 'Der Auftrag wurde mehrmals begonnen und nie beendet.',
    es: 'La tarea se inició varias veces y nunca terminó.',
    'zh-Hans': '该任务多次启动但从未完成。',
    'zh-Hant': '該任務多次啟動但從未完成。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof JOB_MESSAGES> {}
}
