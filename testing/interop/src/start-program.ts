import { spawn } from 'node:child_process';

/** A program that runs, and what it has printed so far. */
export type RunningProgram = {
  /** Resolves with the match, as soon as the output has one; rejects if the program ends without. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly output: () => string;
  readonly write: (text: string) => void;
  /** The exit code. */
  readonly ended: Promise<number | null>;
  readonly stop: () => Promise<void>;
};

type ProgramOptions = {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
};

const waitMs = 60_000;
const pauseMs = 50;

/** Starts a program whose output is watched. */
export const startProgram = (
  program: string,
  { args, env, cwd }: ProgramOptions,
): RunningProgram => {
  const child = spawn(program, args, { cwd, env: { ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  let isOver = false;
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      output += String(error);
      isOver = true;
      resolve(null);
    });
    child.once('close', (code) => {
      isOver = true;
      resolve(code);
    });
  });
  const printed = async (pattern: RegExp): Promise<RegExpExecArray> => {
    const deadlineMs = performance.now() + waitMs;
    for (;;) {
      const wasOver = isOver;
      const found = pattern.exec(output);
      if (found) {
        return found;
      }
      if (wasOver || performance.now() > deadlineMs) {
        throw new Error(`${program} did not print ${String(pattern)}:\n${output}`);
      }
      await new Promise((go) => setTimeout(go, pauseMs));
    }
  };
  return {
    printed,
    output: () => output,
    write: (text) => void child.stdin.write(text),
    ended,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
};
