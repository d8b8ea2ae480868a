import { httpUrl, parseEnv } from '@commonplace/config';
import { z } from 'zod';
import { signIn } from '../sign-in.ts';
import { runDemo } from './run-demo.ts';

/** `pnpm demo`: the README's tour against a running instance. */
const env = parseEnv(
  z.object({
    BASE_URL: httpUrl.default('http://127.0.0.1:8080'),
    /** Needed in authenticated mode only. */
    DEMO_EMAIL: z.string().optional(),
    DEMO_PASSWORD: z.string().optional(),
  }),
);

const print = (line: string) => process.stdout.write(`${line}\n`);

try {
  const operatorHeaders =
    env.DEMO_EMAIL && env.DEMO_PASSWORD
      ? await signIn({ baseUrl: env.BASE_URL, email: env.DEMO_EMAIL, password: env.DEMO_PASSWORD })
      : {};
  await runDemo({ baseUrl: env.BASE_URL, operatorHeaders, print });
  print('Everything came back as promised.');
} catch (error) {
  print(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
