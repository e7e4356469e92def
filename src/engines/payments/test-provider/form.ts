/** Bodies and queries of the protocol: forms whose names have brackets, such as `metadata[effect_id]`. */

export type Form = { readonly [name: string]: FormValue };
export type FormValue = string | Form;

/** Indexes of arrays are names, too: `{"0": ..., "1": ...}`. */
export function decodeForm(text: string): Form {
  const form: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [path, value] of new URLSearchParams(text)) {
    const names = path.split('[').map((name, index) => (index === 0 ? name : name.replace(/\]$/, '')));
    let at = form;
    for (const [index, name] of names.entries()) {
      const key = name === '' ? String(Object.keys(at).length) : name;
      if (index === names.length - 1) at[key] = value;
      else at = (at[key] ??= Object.create(null)) as Record<string, unknown>;
      if (typeof at !== 'object') break;
    }
  }
  return form as Form;
}

export const textIn = (form: Form, name: string): string | undefined => {
  const value = form[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
export const formIn = (form: Form, name: string): Form => {
  const value = form[name];
  return typeof value === 'object' ? value : {};
};
/** The members that are text. */
export const textsIn = (form: Form): Record<string, string> =>
  Object.fromEntries(
    Object.entries(form).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  );
