declare const listed: unique symbol;

/** The kind of an outbox row. None is made but by a service's table: `rowKindsOf`. */
export type RowKind<Name extends string = string> = Name & { readonly [listed]: true };

/**
 * The kinds of a service's outbox rows, as they are stored, by name. A relay does not start where
 * one of them has no handler.
 */
export function rowKindsOf<const Table extends Readonly<Record<string, string>>>(table: Table) {
  return table as { readonly [Name in keyof Table]: RowKind<Table[Name]> };
}
