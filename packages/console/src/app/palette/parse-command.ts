/** What can be done with an agent from the palette. */
export type AgentVerb = 'pause' | 'resume' | 'new key' | 'undo';

/** What can be done with an agent or a note. */
export type Verb = AgentVerb | 'move';

const command = /^(pause|resume|new key|undo|move)(?:\s+for)?(?:\s+(.*))?$/i;

/** A typed text as a command and the name it is about; without a command, the text is the name. */
export const parseCommand = (
  text: string,
): { readonly verb: Verb | null; readonly rest: string } => {
  const [, verb, rest = ''] = command.exec(text) ?? [];
  return verb === undefined
    ? { verb: null, rest: text }
    : { verb: verb.toLowerCase() as Verb, rest: rest.trim() };
};
