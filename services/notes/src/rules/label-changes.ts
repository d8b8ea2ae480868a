/** A folder or a tag, and by how many notes its count changes. */
type LabelChange = {
  readonly kind: 'folder' | 'tag';
  readonly name: string;
  readonly notes: number;
};

type Labels = { readonly folder: string; readonly tags: readonly string[] };

/** The changes of counts when notes with some labels go and others come; only counts that change. */
export const labelChanges = (gone: readonly Labels[], come: readonly Labels[]): LabelChange[] => {
  const changes = new Map<string, LabelChange>();
  const add = (kind: LabelChange['kind'], name: string, by: number): void => {
    const key = `${kind} ${name}`;
    changes.set(key, { kind, name, notes: (changes.get(key)?.notes ?? 0) + by });
  };
  const addAll = (notes: readonly Labels[], by: number): void => {
    for (const { folder, tags } of notes) {
      add('folder', folder, by);
      tags.forEach((tag) => add('tag', tag, by));
    }
  };
  addAll(gone, -1);
  addAll(come, 1);
  return [...changes.values()].filter(({ notes }) => notes !== 0);
};
