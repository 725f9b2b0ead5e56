// A host of the OpenCode family, reduced to how it loads a module and calls its members.
// Steps come as JSON on standard input; what happened goes to standard output as JSON.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const steps = JSON.parse(readFileSync(0, "utf8"));
const results = [];
const toasts = [];
const replies = [];
const prompts = [];
const uncaught = [];
process.on("uncaughtException", (error) => uncaught.push(String(error)));
process.on("unhandledRejection", (error) => uncaught.push(String(error)));

const client = {
  tui: { showToast: async (call) => void toasts.push(call.body) },
  session: { prompt: async (call) => void prompts.push(call) },
  postSessionIdPermissionsPermissionId: async (call) => void replies.push(call),
};
const plugins = [];

async function step(what) {
  if (what.load) {
    const module = await import(`${pathToFileURL(what.load)}?${plugins.length}`);
    const hooks = await module.default({ client, directory: what.directory, worktree: what.directory });
    plugins.push(hooks);
    return { exports: Object.keys(module), members: Object.keys(hooks) };
  }
  if (what.event) {
    for (const hooks of plugins) void hooks.event({ event: what.event }); // nobody waits
    return {};
  }
  if (what.wait) return void (await new Promise((done) => setTimeout(done, what.wait)));
  if (what.member === "dispose") {
    for (const hooks of plugins) await hooks.dispose();
    return {};
  }
  if (what.cycle) what.input.self = what.input;
  const output = what.output ?? {};
  const args = output.args;
  for (const hooks of plugins) await hooks[what.member]?.(what.input ?? {}, output);
  return { output, sameArgs: output.args === args };
}

for (const what of steps) {
  const began = Date.now();
  try {
    const result = (await step(what)) ?? {};
    results.push({ ...result, took: Date.now() - began });
  } catch (error) {
    results.push({ error: error.message, kind: error.constructor.name, took: Date.now() - began });
  }
}
process.stdout.write(JSON.stringify({ results, toasts, replies, prompts, uncaught }), () => process.exit(0));
