import type { NoteProperties } from '@commonplace/contracts/notes';

const isObject = (value: unknown): value is NoteProperties =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Applies a JSON merge patch to an object (RFC 7396). A key `__proto__` is a key like any other. */
export const applyMergePatch = (target: unknown, patch: NoteProperties): NoteProperties => {
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      merged.delete(key);
    } else {
      merged.set(key, isObject(value) ? applyMergePatch(merged.get(key), value) : value);
    }
  }
  return Object.fromEntries(merged);
};
