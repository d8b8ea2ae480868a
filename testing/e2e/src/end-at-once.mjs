/*
 * Loaded into the processes of a test system with `--import`: after SIGUSR2 they do not wait for their clients when they are
 * stopped. Nothing needs those two seconds once the tests of a file are over. Before, they stop as in production.
 */
process.once('SIGUSR2', () => process.once('SIGTERM', () => process.exit(0)));
