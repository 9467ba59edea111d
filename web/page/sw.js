// Keeps the page's files, so that it works without a network. Another build has another version, and replaces them all.

const VERSION = "threshold-PAGE_VERSION";
const FILES = ["./", PROGRAM_FILE, PAGE_FILES];

self.addEventListener("install", (event) => {
  const kept = caches.open(VERSION).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" }))));
  event.waitUntil(kept.then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => names.filter((name) => name.startsWith("threshold-") && name !== VERSION));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  const page = event.request.mode === "navigate";
  const kept = caches.open(VERSION).then((cache) => cache.match(event.request, { ignoreSearch: page }));
  event.respondWith(kept.then((answer) => answer ?? fetch(event.request)));
});
