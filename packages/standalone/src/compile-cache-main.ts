import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { currentBundle } from '@commonplace/service-bundle';
import { buildChecks } from './prepare-builds.ts';

/**
 * Loads everything that the system loads at its start and later, so that the compile cache contains it, and exits. A process
 * or thread that finds all its files in the cache does not load Node's TypeScript compiler (16 MB).
 */
const [servicesDir = '', ...names] = process.argv.slice(2);
const exit = process.exit.bind(process);
/** What services load when it is needed. Threads give up without a port, when all they need is loaded. */
const loadedLater = [
  'gateway/src/observability/metrics.ts',
  'auth/src/oidc/{attempts,provider}.ts',
  'notes/src/mcp/serve.ts',
  'notes/src/**/*-worker.ts',
];
const loadedLaterByAll = [
  '../packages/openapi/src/index.ts',
  '../packages/tracing/src/{context-manager,otlp-provider,read-version}.ts',
];
const inServices = (...paths: readonly string[]): readonly string[] =>
  paths.flatMap((path) => globSync(join(servicesDir, path)));
/** The bundle of a service, or the sources that run where there is none. */
const filesOf = async (name: string): Promise<readonly string[]> => {
  const bundle = await currentBundle(join(servicesDir, name));
  return bundle === null
    ? inServices(
        `${name}/src/main.ts`,
        ...loadedLater.filter((path) => path.startsWith(`${name}/`)),
      )
    : globSync(join(dirname(bundle), '*.js'));
};
// A service without configuration exits at its first statement. By then all its modules are loaded.
process.exit = () => {
  throw new Error('not configured');
};
const ofServices = (await Promise.all(names.map(filesOf))).flat();
const files = [
  ...ofServices,
  ...(ofServices.some((file) => file.endsWith('.ts')) ? inServices(...loadedLaterByAll) : []),
  ...inServices('*/migrations/*.ts'),
];
await Promise.allSettled([
  ...files.map((file) => import(pathToFileURL(file).href)),
  import('./run.ts'),
  ...buildChecks.map((check) => import(check)),
  import('@commonplace/http/metrics'),
  import('@commonplace/migrations/main'),
  import('@commonplace/migrations/migrate-service'),
]);
// Modules that failed without configuration may have set another exit code.
exit(0);
