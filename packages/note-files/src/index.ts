export { createFolderCaseMatcher, type FolderCaseMatcher } from './match-folder-case.ts';
export { formatNoteFile, readNoteFile, readPlainText } from './note-file.ts';
export { foldPath, pathFor, placeOf, type FilePlace, type PathedNote } from './note-path.ts';
export { safeSegment } from './safe-segment.ts';
export { createTakenPaths, type MutableTakenPaths } from './taken-paths.ts';
