import { UsageError, print, type Command } from './command.ts';
import { parseCommandLine } from './parse-command-line.ts';

const help = `Usage: admin <command> [options]

  backup [file]             back up the database; \`-\` writes to standard output
  restore <file> [--force]  replace the database by a backup; --force if it holds data
  restore --adopt           finish a restore made by other means, such as pg_restore
  migrate                   migrate the database of DATABASE_URL
  operator <command>        manage operators: create, disable, enable, make-admin, handover,
                            reset-password, reset-second-factor <email>, or peppers
  doctor [--env-file .env] [--url http://…] [--json]
                            check a deployment; exit code 1 if something fails
  secrets [file]            write .env with new secrets; add missing lists to an existing one
  help                      print this

Exit codes: 0 done, 1 failed, 2 the command line is not valid.`;

/** Loaded on demand: a backup needs no TLS, and writing secrets needs no PostgreSQL. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restore,
  migrate: async () => (await import('./commands/migrate.ts')).migrate,
  operator: async () => (await import('./commands/operator.ts')).operator,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  secrets: async () => (await import('./commands/secrets.ts')).secrets,
};

const run = async ([name = '', ...args]: readonly string[]): Promise<number> => {
  if (['help', '--help', '-h'].includes(name)) {
    print(help);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? await commands[name]?.() : undefined;
  if (!command) {
    throw new UsageError(name === '' ? 'name a command' : `there is no command "${name}"`);
  }
  const input = command.options ? parseCommandLine(command, args) : { options: {}, args };
  return (await command.run({ ...input, env: process.env })) ?? 0;
};

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.stderr.write(`${(error as Error).message}\n${isUsage ? `\n${help}\n` : ''}`);
  process.exitCode = isUsage ? 2 : 1;
}
