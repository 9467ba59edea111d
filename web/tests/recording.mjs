// Frames of a page as Chromium records them, with the processor time that each took: unlike time by the clock, it hardly depends on
// what else runs.

const traceConfig = { includedCategories: ["devtools.timeline", "blink.user_timing"], excludedCategories: ["*"] };

// Begins to record what a page does. The function that it returns ends that, and returns the milliseconds of processor time of each
// frame after the page's mark `from`, up to its mark `to` if there is one.
export async function record(devtools) {
  const events = [];
  devtools.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await devtools.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
  return async (...spans) => {
    const complete = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve));
    await devtools.send("Tracing.end");
    await complete;
    const mark = (name) => events.find((event) => event.cat === "blink.user_timing" && event.name === name);
    const { pid, tid } = mark(spans[0][0]);
    const own = events.filter((event) => event.name === "FireAnimationFrame" && event.pid === pid && event.tid === tid);
    return spans.map(([from, to]) => {
      const [begin, end] = [mark(from).ts, to ? mark(to).ts : Infinity];
      return own.filter(({ ts }) => ts >= begin && ts < end).map(({ tdur }) => tdur / 1000);
    });
  };
}
