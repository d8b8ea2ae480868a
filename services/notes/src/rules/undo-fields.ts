import { noteLimits, type NoteFields } from '@commonplace/contracts/notes';
import { canonicalJson } from '../merge/canonical-json.ts';

type Rest = Omit<NoteFields, 'content'>;

/** A change of fields that is taken out. */
export type FieldsRange = { readonly before: Rest; readonly written: Rest };

export type UndoneFields = {
  readonly fields: Rest;
  /** The names of fields that stay, because somebody changed them since. */
  readonly left: readonly string[];
};

/** Takes a change out of all fields but the content: each goes back, unless somebody changed it since. Tags are a set. */
export const undoFields = (now: Rest, { before, written }: FieldsRange): UndoneFields => {
  const left: string[] = [];
  const back = <Name extends keyof Rest>(name: Name): Rest[Name] => {
    if (isSame(before[name], written[name]) || isSame(now[name], before[name])) {
      return now[name];
    }
    if (isSame(now[name], written[name])) {
      return before[name];
    }
    left.push(name);
    return now[name];
  };
  const tags = undoTags(now.tags, { before, written });
  const areTagsTooMany = tags.length > noteLimits.tagsMax;
  if (areTagsTooMany) {
    left.push('tags');
  }
  const fields = {
    title: back('title'),
    folder: back('folder'),
    tags: areTagsTooMany ? now.tags : tags,
    pinned: back('pinned'),
    archived: back('archived'),
    properties: back('properties'),
  };
  return { fields, left };
};

/** Without the tags that the change added, with those that it removed. */
const undoTags = (now: readonly string[], { before, written }: FieldsRange): string[] => {
  const [earlier, later] = [new Set(before.tags), new Set(written.tags)];
  const staying = now.filter((tag) => earlier.has(tag) || !later.has(tag));
  const removed = before.tags.filter((tag) => !later.has(tag));
  return [...new Set([...staying, ...removed])].toSorted();
};

const isSame = (a: unknown, b: unknown): boolean =>
  typeof a === 'object' ? canonicalJson(a) === canonicalJson(b) : a === b;
