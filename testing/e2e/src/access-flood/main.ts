import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSystem } from '@commonplace/standalone';
import { createApi } from '../call-api.ts';
import { clientId, clientSecret, startIdentityProvider } from '../oidc/identity-provider.ts';
import { signIn } from '../sign-in.ts';
import { makeCompany } from '../world.ts';
import { measureAgentsFlood } from './agents-flood.ts';
import { measureBodyFloods } from './body-floods.ts';
import { besideFlood, clientsFrom, sendWithGoodKey, type FloodWorld } from './flood-world.ts';
import { measureConnectFloods } from './connect-floods.ts';
import { measureIdentityFloods } from './identity-floods.ts';
import { createReport } from './report.ts';
import { forgeKeysFromThread } from './send-from-thread.ts';
import { measureSignInFloods } from './sign-in-floods.ts';

/**
 * `pnpm bench:access`: the effect of floods on other callers, in about four minutes. Traffic with a valid key is measured
 * alone, beside 16 clients that only sign in (and the sign-ins of the administrator beside 24 of one account), guess codes
 * or passkeys, begin single sign-on, or forge logout tokens, and beside 32 that present a new forged key each time. Reads of
 * a company are measured beside 32 clients that read what is heavy of one with 20,000 agents, and large pushes beside junk
 * and withheld bodies. The clients share the machine with the system. Prints a table with targets at the end. With names, such
 * as `connect`, only those floods are measured.
 */
const board = { email: 'board@example.org', password: 'seven grey herons waiting' } as const;
const forgers = 32;

/** The floods, in their order. */
const floodsOf = (
  world: FloodWorld,
  issuer: string,
): Readonly<Record<string, () => Promise<void>>> => ({
  'sign-in': () => measureSignInFloods(world, board),
  identity: () => measureIdentityFloods(world, issuer),
  connect: () => measureConnectFloods(world),
  keys: () =>
    besideFlood(world, {
      name: `${forgers} clients with forged keys, same address`,
      flood: () => forgeKeysFromThread(clientsFrom(world, '127.0.0.1', forgers)),
    }),
  agents: () => measureAgentsFlood(world),
  bodies: () => measureBodyFloods(world),
});

const only = process.argv.slice(2).filter((each) => each !== '--');

const output = (text: string): void => void process.stdout.write(text);
const provider = await startIdentityProvider();
const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-flood-'));
const system = await startSystem({
  dataDir,
  mode: 'authenticated',
  output: () => undefined,
  env: {
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_PER_SECOND: '0',
    BOOTSTRAP_OPERATOR_EMAIL: board.email,
    BOOTSTRAP_OPERATOR_PASSWORD: board.password,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
  },
});
try {
  const { baseUrl } = system;
  provider.admit(baseUrl);
  const signInAsBoard: FloodWorld['signInAsBoard'] = async () => {
    const headers = await signIn({ baseUrl, ...board });
    return { headers, api: createApi({ baseUrl, headers }) };
  };
  const { api } = await signInAsBoard();
  const neighbour = await makeCompany(api, 'Flooded', { baseUrl, withInvite: false });
  const report = createReport(output);
  await sendWithGoodKey({ system, neighbour });
  const goodAlone = await sendWithGoodKey({ system, neighbour });
  report.print('Good key alone', goodAlone);
  const world = { system, signInAsBoard, neighbour, goodAlone, report };
  for (const [name, measure] of Object.entries(floodsOf(world, provider.issuer))) {
    if (only.length === 0 || only.includes(name)) {
      await measure();
    }
  }
  output(`\n${report.table()}\n`);
} finally {
  await system.stop();
  await provider.stop();
  await rm(dataDir, { recursive: true, force: true });
}
