import { createApi, signIn } from '@commonplace/e2e';
import { startSystem } from '@commonplace/standalone';
import { createDemoData, type DemoData } from './demo-data.ts';

const operator = { email: 'board@example.org', password: 'seven grey herons waiting' };

export type DemoSystem = {
  readonly baseUrl: string;
  /** The headers of its operator's session. */
  readonly headers: Readonly<Record<string, string>>;
  readonly demo: DemoData;
};

/** Runs `work` on a temporary system with example data, which it starts and stops. */
export const withDemoSystem = async (
  dataDir: string,
  env: Readonly<Record<string, string>>,
  work: (system: DemoSystem) => Promise<void>,
): Promise<void> => {
  const system = await startSystem({
    dataDir,
    mode: 'authenticated',
    buildsServedFiles: true,
    output: () => undefined,
    env: {
      BOOTSTRAP_OPERATOR_EMAIL: operator.email,
      BOOTSTRAP_OPERATOR_PASSWORD: operator.password,
      ...env,
    },
  });
  try {
    const { baseUrl } = system;
    const headers = await signIn({ baseUrl, ...operator });
    const demo = await createDemoData(baseUrl, createApi({ baseUrl, headers }));
    await work({ baseUrl, headers, demo });
  } finally {
    await system.stop();
  }
};
