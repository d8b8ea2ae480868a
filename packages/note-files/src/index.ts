export { formatNoteFile, readNoteFile, UnreadableFileError, type FilePlace } from './note-file.ts';
export { foldPath, pathFor, placeOf, safeSegment, type PathedNote } from './note-path.ts';
export { createTakenPaths, type MutableTakenPaths } from './taken-paths.ts';
