// Hooks of sample, placed by agent-plugin; `agent-plugin deactivate` removes this file.
import { spawn } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";

const PLUGIN = "sample";
const HOST = "amp";
const LAUNCHER = join(
  process.env.AGENT_PLUGIN_HOME || join(homedir(), ".agent-plugin"),
  PLUGIN,
  process.platform === "win32" ? "launch.cmd" : "launch",
);
/** Event -> native name, native tool names (null: every tool) and timeout in milliseconds.
 * @type {Record<string, {slot: string, native: string, tools: string[] | null, limit: number}>} */
const SLOTS = {
  "session-start": { slot: "session-start", native: "session.start", tools: null, limit: 15000 },
  "turn-start": { slot: "turn-start", native: "agent.start", tools: null, limit: 15000 },
  "pre-tool-use": { slot: "pre-tool-use", native: "tool.call", tools: ["Bash", "shell_command", "Read", "create_file", "edit_file", "apply_patch", "mcp__*", "Task", "read_web_page", "web_search"], limit: 65000 },
  "post-tool-use": { slot: "post-tool-use", native: "tool.result", tools: null, limit: 15000 },
  "turn-end": { slot: "turn-end", native: "agent.end", tools: null, limit: 15000 },
  "post-tool-use-failure": { slot: "post-tool-use-failure", native: "tool.result", tools: null, limit: 15000 },
};
const MAX_REPLY = 1 << 20;
const MAX_RAW = 1 << 18;

/** @typedef { {decision?: string, reason?: string, context?: string, message?: string, input?: any, output?: any} } Reply */
/** @typedef {Record<string, any>} Payload */

/** Running calls; teardown waits for them.
 * @type {Set<Promise<Reply>>} */
const running = new Set();

/** The value as JSON can represent it; null if JSON cannot or if it is too large.
 * @param {unknown} value */
function plain(value) {
  try {
    const text = JSON.stringify(value);
    return text === undefined || text.length > MAX_RAW ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param {string} text
 * @returns {Reply} */
function parse(text) {
  try {
    const reply = JSON.parse(text);
    return reply !== null && typeof reply === "object" ? reply : {};
  } catch {
    return {};
  }
}

/** Whether the event has a hook for the tool.
 * @param {string} event
 * @param {unknown} tool */
function wants(event, tool) {
  const facts = SLOTS[event];
  if (!facts) return false;
  if (!facts.tools || tool === undefined) return true;
  const name = String(tool);
  return facts.tools.some((pattern) => {
    const parts = pattern.split("*");
    if (parts.length === 1) return name === pattern;
    const last = parts[parts.length - 1];
    let at = parts[0].length;
    if (!name.startsWith(parts[0])) return false;
    for (const part of parts.slice(1, -1)) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return name.length - last.length >= at && name.endsWith(last);
  });
}

/** Start the launcher, on POSIX in its own process group, so that all of it can be killed.
 * @param {string} slot
 * @param {string | undefined} cwd */
function start(slot, cwd) {
  const args = [HOST, slot, "--project"];
  /** @type {import("node:child_process").SpawnOptionsWithStdioTuple<"pipe", "pipe", "ignore">} */
  const options = { cwd, stdio: ["pipe", "pipe", "ignore"], windowsHide: true };
  if (process.platform !== "win32") return spawn(LAUNCHER, args, { ...options, detached: true });
  const line = `""${LAUNCHER}" ${args.join(" ")}"`;
  const shell = process.env.ComSpec || "cmd.exe";
  return spawn(shell, ["/d", "/s", "/c", line], { ...options, windowsVerbatimArguments: true });
}

/** One call of the launcher; an empty reply if anything is missing or fails.
 * @param {string} event
 * @param {Payload} payload
 * @returns {Promise<Reply>} */
function run(event, payload) {
  const facts = SLOTS[event];
  if (!facts || !wants(event, payload.tool_name)) return Promise.resolve({});
  if ((process.env.AGENT_PLUGIN_FIRING || "").split(/[\s,:;]+/).includes(PLUGIN)) {
    return Promise.resolve({}); // a hook of this plugin started this process
  }
  const call = new Promise((/** @type {(reply: Reply) => void} */ resolve) => {
    const { raw, ...known } = payload;
    const text = JSON.stringify({ event, host: HOST, native: facts.native, ...known, raw: plain(raw) });
    const child = start(facts.slot, payload.cwd);
    let reply = "";
    const kill = () => {
      try {
        if (process.platform === "win32" || !child.pid) child.kill("SIGKILL");
        else process.kill(-child.pid, "SIGKILL");
      } catch {}
      resolve({});
    };
    const timer = setTimeout(kill, facts.limit);
    timer.unref?.();
    const finish = () => {
      clearTimeout(timer);
      resolve(parse(reply));
    };
    child.on("error", finish); // no such file
    child.on("exit", () => setTimeout(finish, 250).unref?.()); // a child may keep the pipe open
    child.on("close", finish);
    child.stdin.on("error", () => {}); // it exited without reading
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (chunk) => {
      reply += chunk;
      if (reply.length > MAX_REPLY) kill();
    });
    child.stdin.end(text);
  }).catch(() => ({}));
  running.add(call);
  call.then(() => running.delete(call));
  return call;
}

/** Wait for every running call, but not forever. */
async function drain() {
  await Promise.allSettled([...running]);
}

/** A refusal, for hosts that expect it as an error; only this error leaves a handler. */
class Refusal extends Error {}

/** A handler that never fails, so that an error of ours does not break the host.
 * @template {any[]} A, R
 * @param {(...args: A) => Promise<R>} body
 * @returns {(...args: A) => Promise<R | undefined>} */
const contained = (body) => async (...args) => {
  try {
    return await body(...args);
  } catch (error) {
    if (error instanceof Refusal) throw new Error(error.message);
    return undefined;
  }
};

/** @param {Reply} reply */
const reasonOf = (reply) => reply.reason || `refused by ${PLUGIN}`;

/** @param {unknown} value */
const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/** The result with one text block in place of its text blocks; other blocks stay.
 * @param {any[]} blocks
 * @param {(text: string) => string} change
 * @returns {any[]} */
function changeBlocks(blocks, change) {
  const texts = blocks.filter((block) => block?.type === "text");
  const text = change(texts.map((block) => block.text).join("\n"));
  return [{ type: "text", text }, ...blocks.filter((block) => block?.type !== "text")];
}

export const description = "Hooks of sample";

/** One process serves many threads, so all state is kept per thread.
 * @param {import("@ampcode/plugin").PluginAPI} amp */
export default function (amp) {
  /** Thread -> context of its start, until a prompt carries it.
   * @type {Map<string, Promise<string>>} */
  const starts = new Map();
  /** Thread -> text that keeps it going; the host sends it back as a prompt.
   * @type {Map<string, string>} */
  const going = new Map();
  /** Tool call -> context given before the call, for after it.
   * @type {Map<string, string>} */
  const later = new Map();

  /** @param {string} event
   * @param { {thread: {id: string} } } about
   * @param {import("@ampcode/plugin").PluginEventContextBase} ctx
   * @param {Payload} more
   * @returns {Promise<Reply>} */
  const fire = async (event, about, ctx, more) => {
    const reply = await run(event, { session_id: about.thread.id, cwd: process.cwd(), ...more });
    if (reply.message) Promise.resolve(ctx.ui.notify(String(reply.message))).catch(() => {});
    return reply;
  };

  amp.on("session.start", contained(async (event, ctx) => {
    const context = fire("session-start", event, ctx, { reason: "startup", raw: event });
    starts.set(event.thread.id, context.then((reply) => String(reply.context ?? "")));
  }));

  amp.on("agent.start", async (event, ctx) => {
    const body = contained(async () => {
      if (going.get(event.thread.id) === event.message) return {};
      going.delete(event.thread.id);
      const reply = await fire("turn-start", event, ctx, { prompt: event.message, raw: event });
      if (reply.decision === "deny") {
        Promise.resolve(ctx.ui.notify(reasonOf(reply))).catch(() => {});
        await ctx.thread.cancel();
        return {};
      }
      const start = await starts.get(event.thread.id);
      starts.delete(event.thread.id);
      const content = [start, reply.context].filter(Boolean).join("\n\n");
      return content ? { message: { content, display: false } } : {};
    });
    return (await body()) ?? {};
  });

  amp.on("tool.call", async (event, ctx) => {
    const allow = { action: /** @type {const} */ ("allow") };
    const body = contained(async () => {
      const reply = await fire("pre-tool-use", event, ctx, {
        tool_name: event.tool,
        tool_input: event.input,
        call_id: event.toolUseID,
        raw: {},
      });
      const message = reasonOf(reply);
      const reject = { action: /** @type {const} */ ("reject-and-continue"), message };
      if (reply.decision === "deny") return reject;
      if (reply.decision === "ask") {
        const question = { title: PLUGIN, message, confirmButtonText: "Run" };
        const may = await Promise.resolve(ctx.ui.confirm(question)).catch(() => false);
        if (!may) return reject;
      }
      if (reply.context) later.set(event.toolUseID, String(reply.context));
      if (!reply.input || typeof reply.input !== "object") return allow;
      return { action: /** @type {const} */ ("modify"), input: reply.input };
    });
    return (await body()) ?? allow;
  });

  amp.on("tool.result", contained(async (event, ctx) => {
    if (event.status === "cancelled") return undefined;
    const failed = event.status === "error";
    const reply = await fire(failed ? "post-tool-use-failure" : "post-tool-use", event, ctx, {
      tool_name: event.tool,
      tool_input: event.input,
      tool_output: event.output,
      call_id: event.toolUseID,
      error: event.error,
      raw: {},
    });
    const context = [later.get(event.toolUseID), reply.context].filter(Boolean);
    later.delete(event.toolUseID);
    if (failed || (reply.output === undefined && !context.length)) return undefined;
    const output = reply.output === undefined ? event.output : reply.output;
    if (!context.length) return { status: /** @type {const} */ ("done"), output };
    const change = (/** @type {string} */ old) => [old, ...context].join("\n\n");
    const changed = Array.isArray(output) ? changeBlocks(output, change) : change(asText(output));
    return { status: /** @type {const} */ ("done"), output: changed };
  }));

  amp.on("agent.end", contained(async (event, ctx) => {
    const stop_active = going.delete(event.thread.id);
    const reply = await fire("turn-end", event, ctx, {
      stop_active,
      prompt: event.message,
      reason: event.status,
      raw: { id: event.id },
    });
    if (reply.decision !== "keep-going" || event.status !== "done") return undefined;
    const userMessage = reasonOf(reply);
    going.set(event.thread.id, userMessage);
    return { action: /** @type {const} */ ("continue"), userMessage };
  }));

  amp.onDispose(drain);
}
