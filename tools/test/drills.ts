/** Patterns of the paths of drills, relative to the repository. */
export const drillPaths: readonly string[] = [
  'packages/console/test/(?:firefox|firefox-ways|large-notes|long-list|unreliable-server)',
  'packages/embedded-postgres/test/start-postgres',
  'packages/standalone/test/(?:run|start-system)',
  'testing/checker/test/checker',
  'testing/e2e/test/(?:citus-.*|docs-programs|docs-commands|durability|full-disk|lost-configuration|monitoring)',
  'testing/e2e/test/(?:outage-of-.*|pgbouncer|previous-release|restore-drill|secret-rotation|several-gateways)',
  'testing/e2e/test/(?:shutdown|tls-proxy|two-deployments|upgrade|upgrade-of-sessions|withheld-load)',
  'testing/interop/test/.*',
  'testing/packages/test/install',
].map((path) => String.raw`^${path}\.test\.ts$`);

const drills = new RegExp(drillPaths.join('|'));

/**
 * Whole installations, upgrades, outages and second browsers: the slowest files, whose guarantees change least. They run
 * last, so that a machine which is too slow for all tests has run the others.
 */
export const isDrill = (file: string): boolean => drills.test(file);
