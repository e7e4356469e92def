export const LOG_FILE = 'log.ndjson.gz';
export const KEYS_FILE = 'keys.ndjson.gz';
