import { describe, expect, it } from '@jest/globals';
import { newId, noteId } from '@commonplace/contracts/core';
import { noteInput } from '@commonplace/contracts/notes';
import { createVersionCache } from './version-cache.ts';

describe('the texts of versions', () => {
  const name = { id: noteId.parse(newId()), revision: 2 };
  const textOf = (title: string) => noteInput.parse({ title });

  it('a layer returns the same objects as the one below, and its own entries hide them', () => {
    const [below, above] = [textOf('below'), textOf('above')];
    const known = createVersionCache();
    known.add(name, below);
    const layer = createVersionCache(known);
    expect(layer.find(name)).toBe(below);
    layer.add(name, above);
    expect(layer.find(name)).toBe(above);
  });

  it('entries of a rolled back transaction are discarded with its layer', () => {
    const known = createVersionCache();
    createVersionCache(known).add(name, textOf('rolled back'));
    expect(known.find(name)).toBeNull();
    expect(createVersionCache(known).find(name)).toBeNull();
  });
});
