/** A program that tests drive and that npm does not bring. */
export interface NeededProgram {
  readonly name: string;
  /** Where it is, or its name in the PATH. Any of them will do. */
  readonly commands: readonly string[];
  readonly debianPackage: string;
  /** Paths of the test files that cannot run without it, relative to the repository. */
  readonly neededBy: RegExp;
}

/** In the order in which they are reported. */
export const neededPrograms: readonly NeededProgram[] = [
  {
    name: 'Chromium',
    commands: ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'],
    debianPackage: 'chromium-headless-shell',
    neededBy:
      /^packages\/console\/test\/(?!(firefox[^/]*|sign-in-problems|size)\.test)|^testing\/e2e\/test\/hostile-page\.test|^testing\/interop\/test\/connect[^/]*\.test/,
  },
  {
    name: 'Firefox',
    commands: ['/usr/bin/firefox-esr'],
    debianPackage: 'firefox-esr',
    neededBy: /^packages\/console\/test\/firefox[^/]*\.test/,
  },
  {
    name: 'nginx',
    commands: ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'],
    debianPackage: 'nginx-light',
    neededBy:
      /^testing\/e2e\/test\/(proxy-limits|renewed-certificate|several-gateways|tls-proxy)\.test/,
  },
  {
    name: 'PgBouncer',
    commands: ['pgbouncer', '/usr/sbin/pgbouncer'],
    debianPackage: 'pgbouncer',
    neededBy: /^testing\/e2e\/test\/pgbouncer\.test/,
  },
  {
    name: 'Prometheus',
    commands: ['prometheus'],
    debianPackage: 'prometheus',
    neededBy: /^testing\/e2e\/test\/monitoring\.test/,
  },
  {
    name: 'Python 3',
    commands: ['python3'],
    debianPackage: 'python3',
    neededBy: /^testing\/e2e\/test\/docs-programs\.test/,
  },
  {
    name: 'fish',
    commands: ['fish'],
    debianPackage: 'fish',
    neededBy: /^packages\/cli\/test\/completion-shells\.test/,
  },
  {
    name: 'zsh',
    commands: ['zsh'],
    debianPackage: 'zsh',
    neededBy: /^packages\/cli\/test\/completion-shells\.test/,
  },
];
