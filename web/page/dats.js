// The worker that reads data files of one's own: the same program as the page's, asked for records.

import init, { DatReader } from "./threshold-explorer.js";

let reader;

const answers = {
  async open({ program, files }) {
    await init({ module_or_path: program });
    reader = new DatReader(files);
    return { directories: reader.directories() };
  },
  async ask({ wanted }) {
    return { answer: reader.answer(wanted) };
  },
};

// One after the other: what is asked while files are opened waits.
let last = Promise.resolve();
self.addEventListener("message", ({ data }) => {
  last = last.then(async () => {
    try {
      const message = await answers[data.what](data);
      const bytes = message.directories ?? message.answer;
      self.postMessage(message, [bytes.buffer]);
    } catch (error) {
      self.postMessage({ failed: `${error?.message ?? error}` });
    }
  });
});
self.postMessage({ ready: true });
