import { fitsInBytes, noteLimits, type NoteFields } from '@commonplace/contracts/notes';
import { canonicalJson } from './canonical-json.ts';
import { mergeText } from '@commonplace/merge';

/** A common ancestor and its two descendants; `ours` arrived first. */
export type Sides = {
  readonly base: NoteFields;
  readonly ours: NoteFields;
  readonly theirs: NoteFields;
};

/**
 * Merges two descendants of a note: `content` by lines, tags as sets, every other field as a whole.
 * Null when a field was changed differently on both sides, or when the merged note would be too large.
 */
export const mergeNote = (
  base: NoteFields,
  ours: NoteFields,
  theirs: NoteFields,
): NoteFields | null => {
  const rest = mergeRest({ base, ours, theirs });
  return rest && withContent(rest, mergeText(base.content, ours.content, theirs.content));
};

/** The merged note; null: the content could not be merged, or is too large. */
export const withContent = (
  rest: Omit<NoteFields, 'content'>,
  content: string | null,
): NoteFields | null =>
  content !== null && fitsInBytes(content, noteLimits.contentBytesMax)
    ? { ...rest, content }
    : null;

/** Merges all fields but the content; null: a conflict, or too many tags. */
export const mergeRest = ({ base, ours, theirs }: Sides): Omit<NoteFields, 'content'> | null => {
  const pick = <Value>(valueOf: (fields: NoteFields) => Value, isSame: IsSame<Value> = Object.is) =>
    mergeValue([base, ours, theirs].map(valueOf) as [Value, Value, Value], isSame);

  const tags = mergeTags(base.tags, ours.tags, theirs.tags);
  const title = pick((fields) => fields.title);
  const folder = pick((fields) => fields.folder);
  const pinned = pick((fields) => fields.pinned);
  const archived = pick((fields) => fields.archived);
  const properties = pick((fields) => fields.properties, isSameJson);
  if (
    !title ||
    !folder ||
    !pinned ||
    !archived ||
    !properties ||
    tags.length > noteLimits.tagsMax
  ) {
    return null;
  }
  return {
    title: title.value,
    folder: folder.value,
    tags,
    pinned: pinned.value,
    archived: archived.value,
    properties: properties.value,
  };
};

type IsSame<Value> = (a: Value, b: Value) => boolean;

/** The value of the side that changed; null: both did, differently. */
const mergeValue = <Value>(
  [base, ours, theirs]: readonly [Value, Value, Value],
  isSame: IsSame<Value>,
): { value: Value } | null => {
  if (isSame(base, theirs) || isSame(ours, theirs)) {
    return { value: ours };
  }
  return isSame(base, ours) ? { value: theirs } : null;
};

/** Keeps common and added tags; drops tags that either side removed. */
export const mergeTags = (
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): string[] => {
  const known = new Set(base);
  const [mine, yours] = [new Set(ours), new Set(theirs)];
  return [...new Set([...ours, ...theirs])]
    .filter((tag) => (known.has(tag) ? mine.has(tag) && yours.has(tag) : true))
    .toSorted();
};

const isSameJson = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);
