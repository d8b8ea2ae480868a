/**
 * A page that attacks a gateway with everything a page can do: to change something with any request that a
 * browser sends without a preflight, and to read anything. `window.attack(target, ids)` returns what
 * it could read. A foreign origin serves it to a real browser.
 */
export const attackPage = `<!doctype html>
<meta charset="utf-8">
<title>A nice page about cats</title>
<body>
<script>
const theirs = JSON.stringify({ name: 'Theirs', title: 'Theirs', role: 'x', clientId: 'x' });
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const orElse = async (promise, ms = 3000) => Promise.race([promise, wait(ms)]).catch(() => undefined);

const formPost = (action, enctype, target) => {
  const form = document.createElement('form');
  Object.assign(form, { method: 'POST', action, enctype, target });
  const input = document.createElement('input');
  // As text/plain this reads {"name":"Theirs","x":"=y"}.
  Object.assign(input, { name: '{"name":"Theirs","x":"', value: 'y"}' });
  form.append(input);
  document.body.append(form);
  form.submit();
};

const frame = (name, attributes = {}) => {
  const made = document.createElement('iframe');
  made.name = name;
  Object.assign(made, attributes);
  document.body.append(made);
  return made;
};

const looked = (opened) => {
  try { return opened.document.documentElement.outerHTML; } catch { return ''; }
};

window.attack = async (target, { paths, writes }) => {
  const loot = [];
  addEventListener('message', (event) => loot.push(JSON.stringify(event.data)));
  const read = async (response) => { if (response) { loot.push(await response.text()); } };

  for (const [method, path] of writes) {
    const url = target + path;
    for (const credentials of ['include', 'omit']) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
        const init = { method: 'POST', mode: 'no-cors', body: theirs, headers: { 'Content-Type': type }, credentials };
        await orElse(fetch(url, init).then(read));
      }
      const init = { method, body: theirs, headers: { 'Content-Type': 'application/json' }, credentials };
      await orElse(fetch(url, init).then(read));
      await orElse(fetch(url, { ...init, headers: { 'X-Company-Id': 'x', Authorization: 'Bearer x' } }).then(read));
    }
    navigator.sendBeacon(url, theirs);
    try { navigator.sendBeacon(url, new Blob([theirs], { type: 'application/json' })); } catch {}
    for (const enctype of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']) {
      const name = 'f' + Math.random();
      frame(name);
      formPost(url, enctype, name);
    }
    // A sandboxed frame has the origin "null".
    frame('s' + Math.random(), {
      sandbox: 'allow-scripts allow-forms',
      srcdoc: '<script>fetch(' + JSON.stringify(url) + ", {method:'POST',mode:'no-cors',credentials:'include',body:" +
        JSON.stringify(theirs) + '})<' + '/script>',
    });
  }

  for (const path of paths) {
    const url = target + path;
    for (const credentials of ['include', 'omit']) {
      await orElse(fetch(url, { credentials }).then(read));
      await orElse(fetch(url, { credentials, mode: 'no-cors' }).then(read));
    }
    const image = new Image();
    image.src = url;
    for (const tag of ['script', 'link', 'object', 'video']) {
      const made = document.createElement(tag);
      Object.assign(made, { src: url, data: url, href: url, rel: 'stylesheet' });
      document.body.append(made);
    }
    const framed = frame('r' + Math.random(), { src: url });
    await orElse(new Promise((resolve) => { framed.onload = resolve; }));
    try { loot.push(framed.contentDocument.documentElement.outerHTML); } catch {}
    framed.contentWindow.postMessage({ give: 'everything' }, '*');
  }

  const source = new EventSource(target + '/api/notes/changes', { withCredentials: true });
  source.onmessage = (event) => loot.push(event.data);
  source.addEventListener('change', (event) => loot.push('change ' + event.data));
  try {
    const socket = new WebSocket(target.replace('http', 'ws') + '/api/notes/changes');
    socket.onopen = () => { loot.push('a socket was opened'); socket.send(theirs); };
    socket.onmessage = (event) => loot.push(event.data);
  } catch {}
  const opened = window.open(target + paths[0], 'opened');
  await wait(1500);
  if (opened) {
    opened.postMessage({ give: 'everything' }, '*');
    loot.push(looked(opened));
    formPost(target + writes[0][1], 'text/plain', 'opened');
    await wait(1000);
    loot.push(looked(opened));
    opened.close();
  }
  source.close();
  return loot.filter((text) => text !== '');
};
</script>
`;
