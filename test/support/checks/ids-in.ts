/** Returns the ids of the resources in a response by the names that paths use: the id of `fleet` is `fleet_id`. */
export const idsIn = (body: object | undefined): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body ?? {}).flatMap(([name, value]) => {
      const { id } = (value ?? {}) as { readonly id?: unknown };
      return id === undefined ? [] : [[`${name}_id`, id]];
    }),
  );
