import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';

/** What is wrong with a message by an AsyncAPI document; nothing for a message that is as described. */
export function checkerOf(
  document: object,
): (name: string, message: { readonly headers?: object; readonly payload?: unknown }) => ErrorObject[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'asyncapi');
  return (name, message) =>
    (['headers', 'payload'] as const).flatMap((part) => {
      if (message[part] === undefined) return [];
      const valid = ajv.getSchema(`asyncapi#/components/messages/${name}/${part}`)!;
      return valid(message[part]) ? [] : (valid.errors ?? []);
    });
}
