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
  // A folder moves behind a link, and another one is made whose name differs in its case alone: a file in
  // there was taken for one that had moved.
  [
    { foldsCase: false, unicode: 'bytes', reservesNames: false },
    [
      { do: 'write', at: 0, to: 262 },
      { do: 'agent writes', at: 0, to: 0 },
      { do: 'look', mayDelete: false, killedAfter: 18, meanwhile: null },
      { do: 'link folder', at: 0, to: 0 },
      { do: 'put file in way', at: 85, to: 275 },
    ],
  ],
  // The same under the same name: that is a new version of the file.
  [
    { foldsCase: false, unicode: 'bytes', reservesNames: false },
    [
      { do: 'write', at: 919, to: 14 },
      {
        do: 'look',
        mayDelete: false,
        killedAfter: 18,
        meanwhile: { after: 25, step: { do: 'link folder', at: 0, to: 0 } },
      },
      { do: 'agent writes', at: 0, to: 0 },
      { do: 'write', at: 583, to: 662 },
      { do: 'write', at: 0, to: 0 },
      { do: 'write', at: 0, to: 0 },
    ],
  ],
  // Amid a move of the program the user takes the new name of the file behind a link: that is out of the
  // folder, and so the note goes.
  [
    { foldsCase: false, unicode: 'bytes', reservesNames: false },
    [
      { do: 'write', at: 0, to: 718 },
      { do: 'agent writes', at: 0, to: 227 },
      { do: 'hide', at: 885, to: 0 },
      { do: 'agent writes', at: 0, to: 0 },
      { do: 'look', mayDelete: false, killedAfter: 39, meanwhile: null },
      { do: 'agent writes', at: 0, to: 0 },
      { do: 'link folder', at: 0, to: 79 },
      { do: 'agent moves', at: 0, to: 0 },
      {
        do: 'look',
        mayDelete: false,
        killedAfter: 0,
        meanwhile: { after: 0, step: { do: 'write', at: 0, to: 0 } },
      },
      {
        do: 'look',
        mayDelete: false,
        killedAfter: null,
        meanwhile: { after: 79, step: { do: 'rename and break', at: 555, to: 547 } },
      },
      { do: 'agent writes', at: 0, to: 0 },
      { do: 'look', mayDelete: true, killedAfter: null, meanwhile: null },
    ],
  ],
  // A file and its note are renamed, each in its own way, and the copy of the conflict belongs behind a
  // link: the file took the note's new name, and what the user had appended was on the server alone.
  [
    { foldsCase: false, unicode: 'bytes', reservesNames: false },
    [
      { do: 'agent writes', at: 0, to: 565 },
      {
        do: 'look',
        mayDelete: false,
        killedAfter: null,
        meanwhile: { after: 0, step: { do: 'move out', at: 0, to: 0 } },
      },
      { do: 'agent moves', at: 1, to: 0 },
      { do: 'rename', at: 583, to: 0 },
      { do: 'agent writes', at: 0, to: 0 },
      { do: 'link folder', at: 0, to: 655 },
      { do: 'append', at: 0, to: 0 },
    ],
  ],
  // A folder is moved after a file was put into it, and before the program, which was killed, had written
  // that down: the file was taken for a new note, and the note was there twice.
  [
    { foldsCase: false, unicode: 'bytes', reservesNames: false },
    [
      { do: 'agent writes', at: 0, to: 0 },
      { do: 'hide', at: 0, to: 0 },
      { do: 'agent writes', at: 0, to: 28 },
      {
        do: 'look',
        mayDelete: false,
        killedAfter: 33,
        meanwhile: { after: 48, step: { do: 'rename', at: 0, to: 202 } },
      },
      { do: 'agent appends', at: 163, to: 0 },
    ],
  ],
];
