const consolePages =
  'account|begin|export|feed|figures|firefox-.*|instance|keyboard|large-notes|local-mode|long-list|notes-links|org-chart|other-operator|palette|requests|sign-in-problems|sign-ins|single-sign-on|sort|viewer';

/** Patterns of the paths of files that run last, relative to the repository, in the order in which they run: the longest first. */
export const latePaths: readonly string[] = [
  'testing/checker/test/checker',
  'testing/packages/test/install',
  'packages/console/test/(?:dialogs|pages|unreliable-server)',
  'testing/e2e/test/(?:docs-commands|secret-rotation)',
  'testing/interop/test/.*',
  'testing/e2e/test/(?:citus/.*|demo|docs-programs|durability|full-disk|lost-configuration|monitoring)',
  'testing/e2e/test/(?:oidc-outage|outage-of-.*|pgbouncer|previous-release|restore-drill)',
  'testing/e2e/test/(?:several-gateways|shutdown|sign-in-guesses|slow-requests|tls-proxy|traces|two-deployments)',
  'testing/e2e/test/(?:upgrade|upgrade-of-sessions|withheld-load)',
  'packages/embedded-postgres/test/start-postgres',
  'packages/standalone/test/(?:run|start-system)',
  'packages/console/test/(?:bulk|firefox|usage)',
  `packages/console/test/(?:${consolePages})`,
].map((path) => String.raw`^${path}\.test\.ts$`);

const patterns = latePaths.map((path) => new RegExp(path));

/**
 * Whole installations, upgrades, outages, and pages of the console beside the main ones: the slowest files, whose
 * guarantees change least. They run last, so that a machine which is too slow for all tests has run the others.
 * Returns the place of a file among them, or -1.
 */
export const latePlaceOf = (file: string): number => patterns.findIndex((late) => late.test(file));
