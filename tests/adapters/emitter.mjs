// A host that calls what a module has subscribed to by name, as Pi, OMP, Amp and OpenClaw do.
// Steps come as JSON on standard input; what happened goes to standard output as JSON.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const steps = JSON.parse(readFileSync(0, "utf8"));
const results = [];
const shown = [];
const uncaught = [];
let cancelled = 0;
process.on("uncaughtException", (error) => uncaught.push(String(error)));
process.on("unhandledRejection", (error) => uncaught.push(String(error)));

const handlers = new Map();
const options = {};
const teardown = [];
const api = {
  on(name, handler, more) {
    handlers.set(name, [...(handlers.get(name) ?? []), handler]);
    options[name] = more;
  },
  onDispose: (callback) => void teardown.push(callback),
};

function context(what) {
  return {
    hasUI: what.answer !== undefined,
    ui: {
      notify: async (text) => void shown.push(text),
      confirm: async () => {
        if (what.answer === undefined) throw new Error("no terminal");
        return what.answer;
      },
    },
    cwd: what.cwd,
    workspaceDir: what.cwd,
    sessionId: "s1",
    runId: what.run,
    sessionManager: { getSessionId: () => "s1", getSessionFile: () => "/s1.jsonl" },
    thread: { cancel: async () => void (cancelled += 1) },
  };
}

async function step(what) {
  if (what.load) {
    const module = await import(pathToFileURL(what.load));
    if (typeof module.default === "function") await module.default(api);
    else module.default.register(api);
    return { names: [...handlers.keys()], options };
  }
  if (what.emit === "dispose") return void (await Promise.all(teardown.map((one) => one())));
  const event = what.event ?? {};
  const input = event.input;
  let value;
  for (const handler of handlers.get(what.emit) ?? []) value = await handler(event, context(what));
  return { value, event, sameInput: event.input === input };
}

for (const what of steps) {
  try {
    results.push((await step(what)) ?? {});
  } catch (error) {
    results.push({ error: error.message });
  }
}
const report = JSON.stringify({ results, shown, uncaught, cancelled });
process.stdout.write(report, () => process.exit(0));
