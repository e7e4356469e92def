/** An area of the log: what a stream's name begins with, up to and with its first hyphen. */
export const areaOf = (stream: string): string => stream.slice(0, stream.indexOf('-') + 1);

export const isArea = (prefix: string): boolean => prefix !== '' && prefix === areaOf(prefix);
