import fc from 'fast-check';
import type { DiskKind } from './model-disk.ts';

/** What the user does with files. Numbers choose among the names below, and what is there. */
export type UserStep = {
  readonly do:
    | 'write'
    | 'append'
    | 'save again'
    | 'break'
    | 'rename'
    | 'rename and break'
    | 'delete'
    | 'link folder'
    | 'link file'
    | 'copy by link'
    | 'move out'
    | 'make folder'
    | 'put file in way'
    | 'change mode'
    | 'hide';
  readonly at: number;
  readonly to: number;
};

/** What an agent does with notes. */
export type AgentStep = {
  readonly do: 'agent writes' | 'agent appends' | 'agent moves' | 'agent deletes';
  readonly at: number;
  readonly to: number;
};

/** The program looks at both sides, is perhaps killed, and perhaps the user acts meanwhile. */
export type SyncStep = {
  readonly do: 'look';
  readonly mayDelete: boolean;
  readonly killedAfter: number | null;
  readonly meanwhile: { readonly after: number; readonly step: UserStep } | null;
};

export type Step = UserStep | AgentStep | SyncStep;

/** Names that some file system or another treats in its own way. */
export const names = [
  'a',
  'A',
  'b',
  ' .b',
  '..c',
  'a.md',
  'CON',
  'aux.x',
  'dots. .',
  'é',
  'e\u0301',
  'Straße',
  'STRASSE',
  ' lead',
  'q?:*',
  'x'.repeat(200),
] as const;

/** Folders of notes and files; the first is the root. */
export const folders = ['', 'd', 'd/e', 'a.md', ' .d', 'D', 'é', 'e\u0301', 'NUL'] as const;

/** Modes of files and folders, some of which keep their owner out. */
export const modes = [0o600, 0o700, 0o755, 0o644, 0o000, 0o400, 0o500, 0o444] as const;

const number = fc.nat({ max: 1_000 });

const userStep: fc.Arbitrary<UserStep> = fc.record({
  do: fc.constantFrom(
    'write',
    'write',
    'append',
    'append',
    'save again',
    'break',
    'rename',
    'rename',
    'rename and break',
    'delete',
    'link folder',
    'link file',
    'copy by link',
    'move out',
    'make folder',
    'put file in way',
    'change mode',
    'hide',
  ),
  at: number,
  to: number,
});

const agentStep: fc.Arbitrary<AgentStep> = fc.record({
  do: fc.constantFrom(
    'agent writes',
    'agent writes',
    'agent appends',
    'agent moves',
    'agent deletes',
  ),
  at: number,
  to: number,
});

const syncStep: fc.Arbitrary<SyncStep> = fc.record({
  do: fc.constant('look' as const),
  mayDelete: fc.boolean(),
  killedAfter: fc.oneof(fc.constant(null), fc.nat({ max: 60 })),
  meanwhile: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.record({ after: fc.nat({ max: 120 }), step: userStep }) },
  ),
});

/** A life of a folder. */
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: userStep },
    { weight: 3, arbitrary: agentStep },
    { weight: 4, arbitrary: syncStep },
  ),
  { minLength: 4, maxLength: 24 },
);

/** A file system. */
export const diskKind: fc.Arbitrary<DiskKind> = fc.record({
  foldsCase: fc.boolean(),
  unicode: fc.constantFrom('bytes', 'insensitive', 'decomposed'),
  reservesNames: fc.boolean(),
});
