import type { Step } from './folder-steps.ts';
import type { DiskKind } from './model-disk.ts';

/** Lives that once went wrong, as they were left when nothing more could be taken from them. */
export const examples: [DiskKind, Step[]][] = [
  // A disk spells the folder `é` in its own way, and the program is killed before it has read that: the
  // file was taken for a new note, and the note that the agent moved meanwhile was there twice.
  [
    { foldsCase: false, unicode: 'decomposed', reservesNames: false },
    [
      { do: 'agent writes', at: 0, to: 573 },
      {
        do: 'look',
        mayDelete: false,
        killedAfter: 27,
        meanwhile: { after: 0, step: { do: 'write', at: 484, to: 0 } },
      },
      { do: 'agent moves', at: 337, to: 0 },
      { do: 'look', mayDelete: false, killedAfter: null, meanwhile: null },
    ],
  ],
  // A file that has just been written is renamed and cannot be read any more, and another one is put in
  // its place: that one was taken for a new version of the note.
  [
    { foldsCase: false, unicode: 'bytes', reservesNames: false },
    [
      { do: 'agent writes', at: 0, to: 227 },
      {
        do: 'look',
        mayDelete: false,
        killedAfter: null,
        meanwhile: { after: 0, step: { do: 'write', at: 0, to: 0 } },
      },
      { do: 'rename', at: 423, to: 0 },
      { do: 'write', at: 160, to: 884 },
      { do: 'break', at: 521, to: 825 },
      { do: 'look', mayDelete: true, killedAfter: null, meanwhile: null },
    ],
  ],
  // A move that was cut short by a kill, out of a folder that nothing may be removed from any more: every
  // later look failed before it had looked at anything.
  [
    { foldsCase: false, unicode: 'bytes', reservesNames: false },
    [
      { do: 'agent writes', at: 0, to: 10 },
      { do: 'look', mayDelete: false, killedAfter: 33, meanwhile: null },
      { do: 'agent moves', at: 0, to: 0 },
      { do: 'agent moves', at: 0, to: 0 },
      { do: 'change mode', at: 0, to: 942 },
      {
        do: 'look',
        mayDelete: false,
        killedAfter: 28,
        meanwhile: { after: 0, step: { do: 'write', at: 0, to: 0 } },
      },
    ],
  ],
  // A folder is deleted and made again as `D` where case means nothing: the note that then came for `d`
  // was moved to `D`.
  [
    { foldsCase: true, unicode: 'bytes', reservesNames: false },
    [
      { do: 'agent writes', at: 0, to: 127 },
      {
        do: 'look',
        mayDelete: false,
        killedAfter: null,
        meanwhile: { after: 52, step: { do: 'write', at: 0, to: 0 } },
      },
      { do: 'delete', at: 0, to: 0 },
      { do: 'link file', at: 0, to: 626 },
      { do: 'agent writes', at: 0, to: 271 },
      { do: 'look', mayDelete: false, killedAfter: 0, meanwhile: null },
      { do: 'look', mayDelete: false, killedAfter: 0, meanwhile: null },
    ],
  ],
];
