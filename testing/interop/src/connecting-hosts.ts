import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProgram, type RunningProgram } from './start-program.ts';
import { installProject } from './workspace.ts';

/** Programs that people connect, in a project of their own, because they take 900 MB. */
const hostsRoot = fileURLToPath(new URL('../hosts/', import.meta.url));

/** Installs the hosts; returns why they cannot be, or null. */
export const installHosts = async (): Promise<string | null> => {
  try {
    await installProject(hostsRoot);
    return null;
  } catch (error) {
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return `the hosts cannot be installed here: ${first}`;
  }
};

/** A host with a home of its own, in which nobody has signed in to its maker. */
export type Host = {
  readonly start: (...args: readonly string[]) => RunningProgram;
  /** Runs a command to its end, and returns what it printed. */
  readonly run: (...args: readonly string[]) => Promise<string>;
};

type HostPlan = {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** The program and its first arguments, before those of a command. */
  readonly command: readonly [string, ...string[]];
};

const packagePath = (file: string): string => join(hostsRoot, 'node_modules', file);

/** Where `node` is, and nothing that opens a browser. */
const nodeFolder = process.execPath.replace(/\/[^/]+$/, '');

const createHost = ({ home, env, command: [program, ...first] }: HostPlan): Host => {
  const start: Host['start'] = (...args) =>
    startProgram(program, {
      args: [...first, ...args],
      cwd: home,
      env: { PATH: nodeFolder, HOME: home, ...env },
    });
  return {
    start,
    run: async (...args) => {
      const running = start(...args);
      const code = await running.ended;
      if (code !== 0) {
        throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${running.output()}`);
      }
      return running.output();
    },
  };
};

/** Codex of OpenAI, with a model provider that does not exist. */
export const createCodex = async (home: string): Promise<Host> => {
  await mkdir(home);
  await writeFile(
    join(home, 'config.toml'),
    [
      'check_for_update_on_startup = false',
      'model_provider = "none"',
      '[analytics]',
      'enabled = false',
      '[model_providers.none]',
      'name = "none"',
      'base_url = "http://127.0.0.1:9/v1"',
      '',
    ].join('\n'),
  );
  const command = [process.execPath, packagePath('@openai/codex/bin/codex.js')] as const;
  return createHost({ home, env: { CODEX_HOME: home }, command });
};

/** Gemini CLI of Google, with a key that is none: without any it does not run a command. */
export const createGemini = async (home: string): Promise<Host> => {
  await mkdir(join(home, '.gemini'), { recursive: true });
  await writeFile(
    join(home, '.gemini/settings.json'),
    JSON.stringify({ privacy: { usageStatisticsEnabled: false } }),
  );
  const env = {
    GEMINI_API_KEY: 'none',
    // It connects to no server from a folder that is not trusted.
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    NO_BROWSER: 'true',
  };
  const command = [process.execPath, packagePath('@google/gemini-cli/bundle/gemini.js')] as const;
  return createHost({ home, env, command });
};

const claudeEnv = {
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
};

const claudeProgram = packagePath('@anthropic-ai/claude-code/cli-wrapper.cjs');

/** Claude Code of Anthropic. */
export const createClaude = async (home: string): Promise<Host> => {
  await mkdir(home);
  return createHost({ home, env: claudeEnv, command: [process.execPath, claudeProgram] });
};

/** A command of Claude Code that insists on a terminal, in one that `script` of util-linux opens. */
export const startClaudeInTerminal = (home: string, args: readonly string[]): RunningProgram => {
  const words = [process.execPath, claudeProgram, ...args].map((word) => `'${word}'`);
  const command = ['-qefc', words.join(' '), '/dev/null'];
  const env = { TERM: 'xterm', PATH: '/usr/bin:/bin', ...claudeEnv };
  return createHost({ home, env, command: ['/usr/bin/script', ...command] }).start();
};
