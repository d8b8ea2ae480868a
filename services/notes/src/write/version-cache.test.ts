import { describe, expect, it } from '@jest/globals';
import { newId, noteId } from '@commonplace/contracts/core';
import { noteInput } from '@commonplace/contracts/notes';
import { createVersionCache } from './version-cache.ts';

describe('the texts of versions', () => {
  const name = { id: noteId.parse(newId()), revision: 2 };
  const textOf = (title: string) => noteInput.parse({ title });

  it('a layer sees what is known below, the very same object, and hides it with its own', () => {
    const [below, above] = [textOf('below'), textOf('above')];
    const known = createVersionCache();
    known.add(name, below);
    const layer = createVersionCache(known);
    expect(layer.find(name)).toBe(below);
    layer.add(name, above);
    expect(layer.find(name)).toBe(above);
  });

  it('what a transaction adds is forgotten with its layer: a version that was rolled back never was', () => {
    const known = createVersionCache();
    createVersionCache(known).add(name, textOf('rolled back'));
    expect(known.find(name)).toBeNull();
    expect(createVersionCache(known).find(name)).toBeNull();
  });
});
