import type { Command } from './command.ts';

/** A command that is loaded when it is used, so that a quick one does not wait for the code of another. */
export type CommandEntry = {
  /** The words after `commonplace`. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
};

/** The commands, in the order of the help. */
export const commandList: readonly CommandEntry[] = [
  {
    name: 'heartbeat',
    summary: 'run a command as a run of an agent, once or periodically',
    load: async () => (await import('./commands/heartbeat.ts')).heartbeat,
  },
  {
    name: 'sync',
    summary: 'synchronise a folder of Markdown files with the notes',
    load: async () => (await import('./commands/sync.ts')).sync,
  },
  {
    name: 'notes list',
    summary: 'list notes',
    load: async () => (await import('./commands/notes-list.ts')).notesList,
  },
  {
    name: 'notes read',
    summary: 'print a note',
    load: async () => (await import('./commands/notes-read.ts')).notesRead,
  },
  {
    name: 'notes search',
    summary: 'find notes by their text',
    load: async () => (await import('./commands/notes-search.ts')).notesSearch,
  },
  {
    name: 'notes write',
    summary: 'create a note, or replace one that was read',
    load: async () => (await import('./commands/notes-write.ts')).notesWrite,
  },
  {
    name: 'notes edit',
    summary: 'change a part of a note, or its fields',
    load: async () => (await import('./commands/notes-edit.ts')).notesEdit,
  },
  {
    name: 'notes append',
    summary: 'add text at the end of a note',
    load: async () => (await import('./commands/notes-append.ts')).notesAppend,
  },
  {
    name: 'notes delete',
    summary: 'delete a note',
    load: async () => (await import('./commands/notes-delete.ts')).notesDelete,
  },
  {
    name: 'notes restore',
    summary: 'bring back a deleted note, or an earlier version',
    load: async () => (await import('./commands/notes-restore.ts')).notesRestore,
  },
  {
    name: 'notes links',
    summary: 'print the links of a note, or those that lead nowhere',
    load: async () => (await import('./commands/notes-links.ts')).notesLinks,
  },
  {
    name: 'notes history',
    summary: 'list the versions of a note, or compare two',
    load: async () => (await import('./commands/notes-history.ts')).notesHistory,
  },
  {
    name: 'notes blame',
    summary: 'print who wrote which lines of a note',
    load: async () => (await import('./commands/notes-blame.ts')).notesBlame,
  },
  {
    name: 'undo',
    summary: 'take back what a run, a key or an agent wrote',
    load: async () => (await import('./commands/undo.ts')).undo,
  },
  {
    name: 'proposals list',
    summary: 'list what agents propose',
    load: async () => (await import('./commands/proposals-list.ts')).proposalsList,
  },
  {
    name: 'proposals show',
    summary: 'print how a note would change by a proposal',
    load: async () => (await import('./commands/proposals-show.ts')).proposalsShow,
  },
  {
    name: 'proposals accept',
    summary: 'make notes what is proposed',
    load: async () => (await import('./commands/proposals-decide.ts')).proposalsAccept,
  },
  {
    name: 'proposals reject',
    summary: 'leave notes as they are, and say why',
    load: async () => (await import('./commands/proposals-decide.ts')).proposalsReject,
  },
  {
    name: 'whoami',
    summary: 'print the agent and what it may do',
    load: async () => (await import('./commands/whoami.ts')).whoami,
  },
  {
    name: 'context',
    summary: 'print what an agent should know before it starts',
    load: async () => (await import('./commands/context.ts')).context,
  },
  {
    name: 'usage',
    summary: 'print what the runs of the company used and cost',
    load: async () => (await import('./commands/usage.ts')).usage,
  },
  {
    name: 'usage report',
    summary: 'report what a run has used',
    load: async () => (await import('./commands/usage-report.ts')).usageReport,
  },
  {
    name: 'mcp',
    summary: 'serve the notes to an MCP client over stdio',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  {
    name: 'completion',
    summary: 'print the completion script of bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
];
