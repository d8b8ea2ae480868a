// The layers of the house, as docs/house-style.md draws them. Each rule has a fixture in
// tools/lint-rules/fixtures that breaks it, and a test that it is caught.

/** Tests may reach for anything they need to set the stage. */
const tests = '(/test/|\\.test\\.ts$)';

/** Packages from npm, wherever pnpm keeps them, and their types. */
const npm = (...names) => `node_modules/(@types/)?(${names.join('|')})/`;

/** Forbids the files of one layer to import anything of their service or of our packages but this. */
const layer = ({ name, comment, from, own, service = '[^/]+', packages = '[^/]+' }) => ({
  name,
  comment,
  severity: 'error',
  from: { path: `^services/(${service})/src/${from}/`, pathNot: tests },
  to: {
    path: '^(services|packages|testing)/',
    pathNot: [`^services/$1/src/(${own})`, `^(packages|testing)/(${packages})/`],
  },
});

/** As `layer`, for a folder of the notes service. */
const notesLayer = (name, { from = name, ...rest }) =>
  layer({ name: `notes-${name}-layer`, service: 'notes', from, ...rest });

/**
 * Forbids the files of one folder of a package to import other folders of it than these, and files beside the folders
 * other than `shared`.
 */
const foldersOf =
  (place, shared) =>
  (folder, ...allowed) => ({
    name: `${place.split('/')[1]}-${folder}`,
    comment: `In ${place}, ${folder}/ imports ${allowed.map((name) => `${name}/`).join(', ') || 'no other folder'}; what knows all folders stands beside them.`,
    severity: 'error',
    from: { path: `^${place}/src/${folder}/`, pathNot: tests },
    to: {
      path: `^${place}/src/`,
      pathNot: [
        `^${place}/src/(${[folder, ...allowed].join('|')})/`,
        ...(shared ? [`^${place}/src/${shared}$`] : []),
      ],
    },
  });

const gatewayFolder = foldersOf('services/gateway', '(config|deps)\\.ts');
const httpFolder = foldersOf('packages/http');
const consoleFolder = foldersOf('packages/console');
/** Files beside the folders are shared by the commands, except the list of the commands and the program. */
const cliFolder = foldersOf('packages/cli', '(?!command-list|main)[^/]+\\.ts');

/** Forbids these imports everywhere but in the places named. */
const onlyIn = ({ name, comment, to, places }) => ({
  name,
  comment,
  severity: 'error',
  from: { path: '^(packages|services|testing|tools)/', pathNot: places },
  to: { path: to },
});

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Move what both need into a file of its own; types count too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'Declare the dependency in the package.json of the importing package.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'services-stand-alone',
      comment: 'Services talk over HTTP with a signed identity. Share code through packages/.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'packages-below-services',
      comment: 'A package knows nothing of the services built on it.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^services/' },
    },
    {
      name: 'contracts-by-service',
      comment:
        'Of contracts, import core, internal and what this service serves: reading all takes time.',
      severity: 'error',
      from: { path: '^services/(auth|agents|notes)/src/', pathNot: tests },
      to: {
        path: '^packages/contracts/src/(index\\.ts$|(auth|agents|notes)/)',
        pathNot: '^packages/contracts/src/$1/',
      },
    },
    {
      name: 'core-contracts-below-services',
      comment: 'What every service uses must not bring the contracts of all services along.',
      severity: 'error',
      from: { path: '^packages/(http|identity|db)/src/', pathNot: tests },
      to: { path: '^packages/contracts/src/(index\\.ts$|(auth|agents|notes)/)' },
    },
    {
      name: 'db-without-http',
      comment: 'The database layer serves programs without HTTP too, such as migrations.',
      severity: 'error',
      from: { path: '^packages/db/' },
      to: { path: `^packages/http/|${npm('express')}` },
    },
    {
      name: 'testkit-in-tests-only',
      comment: 'The test kit mints callers and databases at will: never in a running system.',
      severity: 'error',
      from: { path: '^(packages|services)/', pathNot: tests },
      to: { path: '^testing/testkit/' },
    },
    layer({
      name: 'routes-layer',
      comment: 'A route uses the folders behind it and its deps, never merge or maintenance.',
      from: 'routes',
      own: '(routes|policy|commands|queries|present|sessions|oidc|oauth|sync|read|write|diff|limits|rules|feed|search|catalog|context|jobs|undo|proposals)/|deps\\.ts$',
    }),
    layer({
      name: 'commands-layer',
      comment: 'A command uses policy and queries; it knows neither routes nor presentation.',
      from: 'commands',
      own: '(commands|policy|merge|queries|factors|oidc|oauth)/|deps\\.ts$',
    }),
    notesLayer('sync', {
      comment:
        'Synchronisation is built on the write path and the feed; it knows no route and no job.',
      own: '(sync|read|write|limits|rules|merge|feed|queries|present)/|deps\\.ts$',
    }),
    notesLayer('write', {
      comment: 'The write path knows neither synchronisation nor jobs, feed, search or catalog.',
      own: '(write|read|diff|limits|rules|merge|edit|queries|present)/|deps\\.ts$',
    }),
    notesLayer('jobs', {
      comment: 'A job runs synchronisations and undos in the background; it knows no route.',
      own: '(jobs|undo|sync|write|rules|limits|feed|queries|present)/|deps\\.ts$',
    }),
    notesLayer('undo', {
      comment: 'Undos and proposals are built on the write path, and know no route.',
      from: '(?:undo|proposals)',
      own: '(undo|proposals|jobs|read|write|diff|rules|limits|merge|context|queries|present)/|deps\\.ts$',
    }),
    notesLayer('context', {
      comment: 'A context gathers what searches, feeds and queries find; it writes nothing.',
      own: '(context|read|diff|search|feed|limits|rules|queries|present)/|deps\\.ts$',
    }),
    notesLayer('feed-and-search', {
      comment: 'Feed, search and catalog read what the write path wrote; they do not write notes.',
      from: '(?:feed|search|catalog)',
      own: '(feed|search|catalog|limits|rules|queries)/|deps\\.ts$',
    }),
    notesLayer('mcp', {
      comment:
        'MCP calls the routes it is given, with all their checks; it writes nothing by itself and imports no route.',
      own: '(mcp|feed|rules|edit|queries|present)/|deps\\.ts$',
    }),
    notesLayer('read', {
      comment: 'Reading whole notes and versions knows no way to change them.',
      own: '(read|limits|rules|queries|present)/|deps\\.ts$',
    }),
    notesLayer('clients', {
      comment: 'A client calls the agents service and says what it returns; it reads no note.',
      own: '(clients|queries)/',
    }),
    notesLayer('limits', {
      comment: 'A limiter knows nothing of what it limits.',
      own: 'limits/',
    }),
    layer({
      name: 'queries-layer',
      comment: 'A query is SQL over a CompanyTx of packages/db, with the id types of contracts.',
      from: 'queries',
      own: 'queries/',
      packages: 'db|contracts',
    }),
    layer({
      name: 'policy-layer',
      comment: 'A policy is a pure rule over contracts and identity: no database, no HTTP.',
      from: '(?:policy|rules|diff|merge|edit)',
      own: '(policy|rules|diff|merge|edit)/',
      packages: 'contracts|identity|merge',
    }),
    layer({
      name: 'present-layer',
      comment: 'A presenter maps a row to a contract, and imports nothing else.',
      from: 'present',
      own: '(present|queries)/',
      packages: 'contracts',
    }),
    {
      name: 'deps-layer',
      comment: 'Dependencies are below routes and commands: declare their types in deps.ts.',
      severity: 'error',
      from: { path: '^services/(auth|agents)/src/deps\\.ts$' },
      to: {
        path: '^services/',
        pathNot: '^services/$1/src/(queries|sessions|passwords|factors|oidc|oauth)/',
      },
    },
    {
      name: 'present-takes-row-types',
      comment: 'Import the type of the row from queries, never the query.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/present/', pathNot: tests },
      to: { path: '^services/[^/]+/src/queries/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'queries-take-contract-types',
      comment: 'Parsing is done before a query runs: of contracts it needs the types only.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/queries/', pathNot: tests },
      to: { path: '^packages/contracts/', dependencyTypesNot: ['type-only'] },
    },
    // In the order of a request.
    gatewayFolder('http'),
    gatewayFolder('validate', 'http'),
    gatewayFolder('routing'),
    gatewayFolder('limits', 'http'),
    gatewayFolder('auth', 'limits'),
    gatewayFolder('tenancy', 'auth'),
    gatewayFolder('proxy', 'auth', 'http', 'limits', 'tenancy', 'validate'),
    gatewayFolder('local', 'http'),
    gatewayFolder('observability', 'http', 'limits'),
    {
      name: 'gateway-deps',
      comment: 'deps.ts is what every folder imports: it takes types of config and counters only.',
      severity: 'error',
      from: { path: '^services/gateway/src/(deps|config)\\.ts$' },
      to: {
        path: '^services/gateway/src/',
        pathNot: '^services/gateway/src/(config|observability/counters)\\.ts$',
      },
    },
    httpFolder('runtime'),
    httpFolder('logging'),
    httpFolder('server', 'logging', 'runtime'),
    httpFolder('pipeline', 'logging', 'server'),
    httpFolder('client', 'pipeline', 'server'),
    httpFolder('metrics', 'logging', 'pipeline', 'server'),
    consoleFolder('on-demand'),
    consoleFolder('api'),
    consoleFolder('components', 'api', 'on-demand'),
    consoleFolder('app', 'api', 'components', 'on-demand'),
    consoleFolder('pages', 'api', 'app', 'components', 'on-demand'),
    consoleFolder('routes', 'api', 'app', 'pages'),
    cliFolder('heartbeat'),
    cliFolder('mcp'),
    cliFolder('notes'),
    cliFolder('sync'),
    cliFolder('commands', 'heartbeat', 'mcp', 'notes', 'sync'),
    {
      name: 'cli-shared',
      comment: 'What the folders of the command line share imports none of them.',
      severity: 'error',
      from: { path: '^packages/cli/src/(?!command-list|main)[^/]+\\.ts$', pathNot: tests },
      to: { path: '^packages/cli/src/[^/]+/' },
    },
    onlyIn({
      name: 'express-doors',
      comment: 'Routes are declared with defineRoute() of packages/http, which requires access.',
      to: npm('express'),
      places: ['^packages/http/', '^services/gateway/', '^services/auth/src/sessions/'],
    }),
    onlyIn({
      name: 'sessions-doors',
      comment: 'Only the auth service keeps sessions.',
      to: npm('express-session', 'connect-pg-simple'),
      places: ['^services/auth/src/sessions/'],
    }),
    onlyIn({
      name: 'pg-doors',
      comment: 'Queries take a CompanyTx; packages/db makes it and sets the company for the rows.',
      to: npm('pg'),
      places: [
        '^packages/(db|migrations|admin|standalone|embedded-postgres)/',
        '^testing/',
        '^services/[^/]+/migrations/',
        tests,
      ],
    }),
    onlyIn({
      name: 'knex-doors',
      comment: 'knex runs migrations; queries are SQL.',
      to: npm('knex'),
      places: ['^packages/migrations/', '^services/[^/]+/migrations/'],
    }),
  ],
  options: {
    exclude: { path: '/fixtures/|^packages/[^/]+/dist' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
