// Has the service worker keep pages and files. A worker that was stopped never answers.
const LONGEST = 60000;

export async function keepByWorker(message) {
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  active.postMessage(message, [port2]);
  await new Promise((resolve) => {
    port1.onmessage = resolve;
    setTimeout(resolve, LONGEST);
  });
}
