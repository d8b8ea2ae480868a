import { isatty } from 'node:tty';

/**
 * Whether standard input, output or error is a terminal. If none is, as with `nohup`, a SIGHUP does not say that the
 * user has left. (Node sets the signal that nohup ignores back to its default, so that cannot be read.)
 */
export const hasTerminal = (): boolean => [0, 1, 2].some((stream) => isatty(stream));
