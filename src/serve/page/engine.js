// The connection to the engine: questions with one answer each, and events of the search that runs. The page starts this
// module first, so that the connection is made while the other modules are on their way.

/** @type {any} */
let listener = () => {};
/** @type {any} */
let changed = () => {};
let socket, number = 0;
const waiting = new Map();

/** From now on `hear` gets events, and `change` whether there is a connection: now, and whenever that changes. `null`: there
 *  will be none, for the program was started anew, at another address. */
export function connect(hear, change) {
  listener = hear;
  changed = change;
  if (socket.readyState === WebSocket.OPEN) changed(true);
}

/** Connects, and again whenever the connection is lost. */
function open() {
  socket = new WebSocket(new URL("socket", location.href).href.replace(/^http/, "ws"));
  socket.onopen = () => changed(true);
  socket.onmessage = message => {
    const data = JSON.parse(message.data);
    if (data.event) return listener(data);
    const { resolve, reject } = waiting.get(data.id) ?? {};
    waiting.delete(data.id);
    if (data.error !== undefined) reject?.(new Error(data.error));
    else resolve?.(data.ok);
  };
  socket.onclose = async () => {
    for (const { reject } of waiting.values()) reject(new Error("closed"));
    waiting.clear();
    changed(false);
    const answer = await fetch("icon.svg", { method: "HEAD" }).catch(() => null);
    if (answer?.status === 403) changed(null);
    else setTimeout(open, 2000);
  };
}

/** Asks for something; the answer is a promise. Its `id` names the search in the events. */
export function ask(what, more) {
  const id = ++number;
  /** @type {any} */
  const answer = new Promise((resolve, reject) => {
    if (socket?.readyState !== WebSocket.OPEN) return reject(new Error("closed"));
    waiting.set(id, { resolve, reject });
    socket.send(JSON.stringify({ id, do: what, language: document.documentElement.lang, ...more }));
  });
  answer.id = id;
  return answer;
}

/** Sends a file; its games come back. */
export async function upload(bytes) {
  const name = document.documentElement.lang.startsWith("zh") ? "open/zh" : "open";
  const answer = await fetch(name, { method: "POST", body: bytes });
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
}

open();
