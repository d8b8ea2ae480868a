import { commandList } from './command-list.ts';

/** The longest name of a command, and the space before what it does. */
const nameWidth = Math.max(...commandList.map(({ name }) => name.length)) + 2;

/** The lines of commands in a list: name and summary, in columns. */
export const commandLines = (commands: typeof commandList, before: string): string =>
  commands.map(({ name, summary }) => `${before}${name.padEnd(nameWidth)}${summary}\n`).join('');

/** The list of commands. */
export const commandHelp = `Usage: commonplace <command> [options]

${commandLines(commandList, '  ')}  ${'help'.padEnd(nameWidth)}print this text, the help of a command, or of a topic:
  ${''.padEnd(nameWidth)}environment, exit-codes

\`commonplace <command> --help\` prints its options.
`;

const environmentHelp = `The environment of commonplace:

  COMMONPLACE_URL           URL of the gateway; default http://127.0.0.1:8080
  COMMONPLACE_API_KEY       the agent's API key; not an argument, because all
                            users of a machine can read those
  COMMONPLACE_API_KEY_FILE  a file with the key instead; read for every request
  COMMONPLACE_SESSION       of an operator, for undo and proposals: the value of
                            the session cookie; or COMMONPLACE_SESSION_FILE.
                            Without it the server must be in local mode
  NO_COLOR                  if set, no colours

Inside a heartbeat the default credential is the token of its run
(SERVICE_API_KEY, SERVICE_TOKEN_FILE, SERVICE_BASE_URL).
`;

const exitCodesHelp = `The exit codes of commonplace:

  0    done
  1    failed; of sync: some files or notes were skipped
  2    wrong arguments, or a variable is missing
  3    there is no such note, or nothing was found
  4    a conflict: the note exists, has changed, is not the only one of its
       title, or the edit does not fit
  5    the credential is not valid, or does not allow this
  6    the server is unavailable or busy: try again later

heartbeat exits with the code of its command. heartbeat and sync exit with 125
if they fail themselves, and with 128 + n after signal n.
`;

/** The texts of `commonplace help <topic>`; without a topic the list of commands. */
export const helpTopics: Readonly<Record<string, string>> = {
  '': commandHelp,
  environment: environmentHelp,
  'exit-codes': exitCodesHelp,
};
