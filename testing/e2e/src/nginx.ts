import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeCertificate } from './make-certificate.ts';

export type NginxOptions = {
  readonly httpsPort: number;
  readonly gatewayUrls: readonly string[];
  readonly hostName: string;
  /** Requests of one address at a time, in place of those of the example. */
  readonly requestsPerAddress?: number;
  /** For how long a gateway that refused gets no request, in place of nginx's ten seconds. */
  readonly failTimeoutSeconds?: number;
};

export type Nginx = {
  /** The self-signed certificate, which clients must trust. */
  readonly certificate: string;
  readonly stop: () => Promise<void>;
};

const example = join(import.meta.dirname, '../../../infra/nginx/commonplace.conf');
const programs = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'];
const readySecondsMax = 20;

/** Starts nginx with the example of this repository in front of gateways, with a certificate of its own. */
export const startNginx = async (options: NginxOptions): Promise<Nginx> => {
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) {
    throw new Error('nginx is not installed: on Debian, apt-get install nginx-light');
  }
  const directory = await mkdtemp(join(tmpdir(), 'commonplace-nginx-'));
  const certificate = await makeCertificate(directory, options.hostName);
  const site = siteOf(await readFile(example, 'utf8'), directory, options);
  await writeFile(join(directory, 'nginx.conf'), mainOf(site));
  const child = spawn(program, ['-p', directory, '-c', 'nginx.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += String(text);
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    await rm(directory, { recursive: true, force: true });
  };
  const isReady = await Promise.race([accepts(options.httpsPort), exited.then(() => false)]);
  if (!isReady) {
    await stop();
    throw new Error(`nginx did not start: ${complaints}`);
  }
  return { certificate, stop };
};

/** The example with the changes that its first lines require, and another limit for one address if there is one. */
const siteOf = (text: string, directory: string, options: NginxOptions): string => {
  const { gatewayUrls, failTimeoutSeconds = 10 } = options;
  const serverOf = (url: string) =>
    `server ${new URL(url).host} fail_timeout=${failTimeoutSeconds}s;`;
  const changes: readonly (readonly [string, string])[] = [
    ['server 127.0.0.1:8080;', gatewayUrls.map(serverOf).join(' ')],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${options.httpsPort} ssl http2;`],
    ['server_name notes.example.org;', `server_name ${options.hostName};`],
    ['/etc/ssl/certs/notes.example.org.pem', join(directory, 'certificate.pem')],
    ['/etc/ssl/private/notes.example.org.key', join(directory, 'key.pem')],
    ['_addresses 500;', `_addresses ${options.requestsPerAddress ?? 500};`],
  ];
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) {
      throw new Error(`infra/nginx/commonplace.conf no longer says ${from}`);
    }
    return changed.replace(from, to);
  }, text);
};

/** One process in the foreground that writes only to its own directory, under any user. */
const mainOf = (site: string): string => `
daemon off;
master_process off;
pid nginx.pid;
error_log stderr warn;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path client-body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
${site}
}
`;

const accepts = async (port: number): Promise<boolean> => {
  const deadline = Date.now() + readySecondsMax * 1000;
  while (Date.now() < deadline) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) {
      return true;
    }
    await sleep(50);
  }
  return false;
};
