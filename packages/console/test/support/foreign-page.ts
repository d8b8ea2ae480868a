import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A page that attacks a consent with everything a page can do without a preflight, and with what needs one. It calls
 * `window.attack(target, path, decisions)`, which returns what it could read.
 */
const attackPage = `<!doctype html>
<meta charset="utf-8">
<title>A nice page about cats</title>
<body>
<script>
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const orElse = (promise) => Promise.race([promise, wait(3000)]).catch(() => undefined);
const frame = (attributes) => {
  const made = document.createElement('iframe');
  Object.assign(made, attributes);
  document.body.append(made);
  return made;
};
const submit = (action, enctype, decision) => {
  const target = 'form' + Math.random();
  frame({ name: target });
  const form = document.createElement('form');
  Object.assign(form, { method: 'POST', action, enctype, target });
  // As text/plain this is the JSON of the decision and one member more.
  const input = document.createElement('input');
  Object.assign(input, { name: decision.slice(0, -1) + ',"x":"', value: '"}' });
  form.append(input);
  document.body.append(form);
  form.submit();
};
window.attack = async (target, paths, decisions) => {
  const loot = [];
  const read = async (response) => { loot.push(await response.text()); };
  const [consent] = paths;
  for (const decision of decisions) {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json']) {
      for (const mode of ['no-cors', 'cors']) {
        const headers = { 'Content-Type': type };
        const init = { method: 'POST', mode, credentials: 'include', headers, body: decision };
        await orElse(fetch(target + consent, init).then(read));
      }
    }
    navigator.sendBeacon(target + consent, decision);
    for (const enctype of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']) {
      submit(target + consent, enctype, decision);
    }
  }
  for (const path of paths) {
    for (const mode of ['no-cors', 'cors']) {
      await orElse(fetch(target + path, { mode, credentials: 'include' }).then(read));
    }
    const framed = frame({ src: target + path });
    await orElse(new Promise((resolve) => { framed.onload = resolve; }));
    try { loot.push(framed.contentDocument.documentElement.outerHTML); } catch {}
  }
  await wait(500);
  return loot.filter((text) => text !== '');
};
</script>
`;

/** Serves the attacking page: from a name of the console it is of the same site, from another it is not. */
export const startForeignPage = async () => {
  const server = createServer((_req, res) =>
    res.setHeader('content-type', 'text/html').end(attackPage),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    addressAt: (name: string) => `http://${name}:${port}/`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
