import type { Schema } from '@commonplace/client';

type ApiKey = Schema<'ApiKey'>;

/** A key with what distinguishes it from others in a list. */
export type NamedKey = ApiKey & {
  /** Its name, and where others in the list have that too, how it begins. */
  readonly label: string;
  /** How the key begins that took its place; null: none did, or that is not in the list. */
  readonly successor: string | null;
};

/** The keys of a list; two of one name are distinguished. */
export const nameKeys = (items: readonly ApiKey[]): readonly NamedKey[] => {
  const byId = new Map(items.map((key) => [key.id, key]));
  const counts = new Map<string, number>();
  for (const { name } of items) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return items.map((key) => ({
    ...key,
    label: (counts.get(key.name) ?? 0) > 1 ? `${key.name} (${key.prefix}…)` : key.name,
    successor: byId.get(key.replacedBy ?? '')?.prefix ?? null,
  }));
};

/** Which key took the place of a key; null: none did. */
export const describeSuccessor = ({ replacedBy, successor }: NamedKey): string | null => {
  if (replacedBy === null) {
    return null;
  }
  return successor === null ? 'replaced by a newer key' : `replaced by ${successor}…`;
};
