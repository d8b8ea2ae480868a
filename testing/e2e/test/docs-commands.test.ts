import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@commonplace/embedded-postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, createApi } from '../src/call-api.ts';
import { makeCleanClone, type CleanClone, type Going, type Ran } from '../src/docs/clean-clone.ts';
import { readCommands, type ShellBlock } from '../src/docs/shell-blocks.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';

/*
 * Every command of README.md and docs, run as it stands there, in order, in a clean clone over a system of its own.
 * One thing is changed: the port, because 8080 may be taken where tests run.
 */
const root = join(import.meta.dirname, '../../..');

/** What cannot run here, line by line, and what runs it instead. */
const elsewhere: readonly (readonly [line: RegExp, because: string])[] = [
  [/^npx -y pnpm@12 test$/, 'is what runs this test'],
  [
    /docker-compose|replace-containers/,
    'needs a Docker Engine: testing/e2e/compose/operator.test.ts (`pnpm test:compose`) runs the block as it stands',
  ],
  [/^ {2}node packages\/admin\/src\/main\.ts (?:backup|restore)/, 'ends a docker-compose command'],
  [/^sed -i "s\/\^POSTGRES_PASSWORD=/, 'is a part of a block for docker-compose'],
  [/check:sync/, 'half an hour: testing/checker/test runs the same program for less'],
  [/screenshots\.ts +# all of them/, 'minutes: the line after it takes two of the pictures'],
];

/** Blocks that go on until Ctrl-C, by what they have written when they have done their work. */
const staying: readonly (readonly [line: RegExp, until: RegExp])[] = [
  [/--watch/, /Z commonplace sync: sent 1 /],
  [/--every 5m/, /ran with SERVICE_API_KEY true/],
];

/** Blocks before which the reader stops the system; the data of the others are put aside meanwhile. */
const stopped = /pnpm@12 restore /;
const starting = /^npx -y pnpm@12 start$/m;

const commands = await readCommands(root);
const pages = [...new Set(commands.blocks.map(({ page }) => page))];
const table: string[] = [];
let clone: CleanClone;
let port: number;
let product: Going;
let env: Record<string, string>;
let company: CompanyWorld;

const start = async (): Promise<void> => {
  const block = commands.blocks.find(({ text }) => starting.test(text));
  product = await clone.stay(block?.text ?? '', {
    until: /is ready at .*\n/,
    env: { PORT: String(port) },
  });
};

beforeAll(async () => {
  clone = await makeCleanClone();
  port = await findFreePort();
  await start();
  const baseUrl = `http://127.0.0.1:${port}`;
  const board = createApi({ baseUrl });
  company = await makeCompany(board, 'Readers', { baseUrl, withInvite: false });
  // What the pages take as given: an agent, its key in a file, and something for it to run.
  for (const name of ['key', 'ada.key']) {
    const file = join(clone.home, '.config/commonplace', name);
    await writeFile(file, company.key, { mode: 0o600 });
  }
  const agent = 'const key: string | undefined = process.env["SERVICE_API_KEY"];\n';
  await writeFile(
    join(clone.folder, 'agent.ts'),
    `${agent}console.log('ran with SERVICE_API_KEY', key !== undefined);\n`,
  );
  env = { AGENT: company.agentId };
}, 600_000);

afterAll(async () => {
  await product.interrupt();
  await clone.remove();
  console.log(['| Where | Command | Result |', '| --- | --- | --- |', ...table].join('\n'));
}, 120_000);

const note = (block: ShellBlock, line: string, result: string): void => {
  const command = line.replace(/ +#.*/, '').replaceAll('|', '\\|');
  table.push(`| ${block.page}:${block.line} | \`${command}\` | ${result} |`);
};

/** The block without what cannot run here; null when nothing is left. */
const runnable = (block: ShellBlock): string | null => {
  const lines = block.text.split('\n').filter((line) => {
    const reason = elsewhere.find(([pattern]) => pattern.test(line))?.[1];
    if (reason !== undefined) {
      note(block, line, `not here: ${reason}`);
    }
    return reason === undefined;
  });
  const isEmpty = lines.every((line) => line.trim() === '' || line.startsWith('#'));
  return isEmpty ? null : lines.join('\n');
};

/** Every page begins again. */
const beginPage = async (): Promise<void> => {
  for (const name of ['.env', 'notes']) {
    await rm(join(clone.folder, name), { recursive: true, force: true });
  }
};

/** A command goes on over lines that end with a backslash, and in the text it quotes. */
const noteAll = (block: ShellBlock, script: string, result: string): void => {
  for (const line of script.split('\n').filter((each) => /^[^\s#}]/.test(each))) {
    note(block, line.replace(/\\$/, '…'), result);
  }
};

let written = 0;

/** Something for a watched folder to send, once there is one. */
const writeFileInFolder = async (): Promise<void> => {
  written += 1;
  const file = join(clone.folder, 'notes', 'Written while watched.md');
  await writeFile(file, `${written}\n`).catch(() => undefined);
};

/** What the reader's shell knows from the blocks above on the page. */
const exportsBefore = ({ page, line }: ShellBlock): readonly string[] =>
  commands.blocks
    .filter((each) => each.page === page && each.line < line)
    .flatMap(({ text }) => text.split('\n').filter((each) => each.startsWith('export ')));

/** What a command of a heartbeat has in its environment: a run of its own, because a token is valid for minutes. */
const environmentOf = async (script: string): Promise<Record<string, string>> => {
  if (!script.includes('$SERVICE_USAGE_URL')) {
    return env;
  }
  const baseUrl = `http://127.0.0.1:${port}`;
  const agent = createApi({ baseUrl, headers: bearer(company.key) });
  const { body } = await agent('POST', `/api/agents/${company.agentId}/runs`, { body: {} });
  const { run, token } = body as { run: { id: string }; token: string };
  const tokenFile = join(clone.home, 'token-of-run');
  await writeFile(tokenFile, token, { mode: 0o600 });
  return {
    ...env,
    SERVICE_API_KEY: token,
    SERVICE_TOKEN_FILE: tokenFile,
    SERVICE_BASE_URL: baseUrl,
    SERVICE_RUN_ID: run.id,
    SERVICE_USAGE_URL: `${baseUrl}/api/runs/${run.id}/usage`,
  };
};

/** Runs what can run of a block; the response is what went wrong, or null. */
const runBlock = async (block: ShellBlock): Promise<string | null> => {
  const script = runnable(block);
  if (script === null) {
    return null;
  }
  if (starting.test(script)) {
    noteAll(block, script, 'works: all of this runs against it');
    return null;
  }
  const until = staying.find(([pattern]) => pattern.test(script))?.[1];
  const whole = [...exportsBefore(block), script]
    .join('\n')
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`);
  const ran = await (until
    ? runUntil(whole, until)
    : clone.shell(whole, await environmentOf(script)));
  const isGood = until ? ran.isInterrupted : ran.exitCode === 0 && !isRefusal.test(ran.output);
  noteAll(block, script, isGood ? (until ? 'works until Ctrl-C' : 'works') : 'FAILS');
  return isGood ? null : `${block.page}:${block.line}: ${JSON.stringify(ran)}`;
};

const runUntil = async (script: string, until: RegExp): Promise<Ran> =>
  (await clone.stay(script, { until, env, meanwhile: writeFileInFolder })).interrupt();

/** A problem of the API: curl is content with any response. */
const isRefusal = /"code":"/;

const asideOfData = async (work: () => Promise<unknown>): Promise<void> => {
  const data = join(clone.folder, '.data');
  await product.interrupt();
  await rename(data, `${data}-aside`);
  await work();
  await rm(data, { recursive: true, force: true });
  await rename(`${data}-aside`, data);
  await start();
};

describe('the commands of the pages', () => {
  it('are in blocks of the language sh, and name existing scripts', async () => {
    expect(commands.strays).toEqual([]);
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const builtIn = ['doctor', 'exec', 'install', 'store'];
    const unknown = commands.scripts.filter(
      ({ script }) => !Object.hasOwn(scripts, script) && !builtIn.includes(script),
    );
    expect(unknown).toEqual([]);
  });

  it.each(pages)(
    'run as written in %s',
    async (page) => {
      await beginPage();
      const failed: string[] = [];
      for (const block of commands.blocks.filter((each) => each.page === page)) {
        const work = () =>
          runBlock(block).then((problem) => problem !== null && failed.push(problem));
        await (stopped.test(block.text) ? asideOfData(work) : work());
      }
      expect(failed).toEqual([]);
    },
    600_000,
  );
});
