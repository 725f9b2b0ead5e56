// Hooks of example-plugin, placed by agent-plugin; `agent-plugin deactivate` removes this file.
import { spawn } from "node:child_process";

const PLUGIN = "example-plugin";
const HOST = "openclaw";
const LAUNCHER = "/home/user/.agent-plugin/example-plugin/launch";
/** Event -> native name, native tool names (null: every tool) and timeout in milliseconds.
 * @type {Record<string, {slot: string, native: string, tools: string[] | null, limit: number}>} */
const SLOTS = {
  "session-start": { slot: "session-start", native: "session_start", tools: null, limit: 35000 },
  "pre-tool-use": { slot: "pre-tool-use", native: "before_tool_call", tools: ["exec", "write", "edit", "apply_patch"], limit: 25000 },
  "turn-end": { slot: "turn-end", native: "before_agent_finalize", tools: null, limit: 35000 },
  "session-end": { slot: "session-end", native: "session_end", tools: null, limit: 2000 },
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
  const args = [HOST, slot];
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

/** @type {Map<string, Promise<string>>} Session -> context of its start. */
const started = new Map();
/** @type {Map<string, Promise<Reply>>} Run -> the reply to its prompt. */
const prompted = new Map();
/** @type {Set<string>} Tool calls that we have refused; the host reports them as calls too. */
const refused = new Set();
/** @type {Set<string>} Runs whose end is reported. */
const ended = new Set();

/** @type {Map<string, string>} Session -> its folder, which some hooks do not get. */
const folders = new Map();

/** @param {any} ctx */
const sessionOf = (ctx) => String(ctx?.sessionId ?? ctx?.sessionKey ?? "");

/** @param {any} event
 * @param {any} ctx */
const runOf = (event, ctx) => String(event?.runId ?? ctx?.runId ?? sessionOf(ctx));

/** @param {string} event
 * @param {any} ctx
 * @param {Payload} more */
function fire(event, ctx, more) {
  const session_id = sessionOf(ctx);
  if (ctx?.workspaceDir) folders.set(session_id, ctx.workspaceDir);
  const cwd = folders.get(session_id) ?? process.cwd();
  return run(event, { session_id, cwd, agent: ctx?.agentId, ...more });
}

/** Once per session; runs without the gateway have no start event.
 * @param {any} ctx
 * @param {string} reason
 * @param {unknown} raw */
function begin(ctx, reason, raw) {
  const session = sessionOf(ctx);
  if (started.has(session)) return;
  const context = fire("session-start", ctx, { reason, raw });
  started.set(session, context.then((reply) => String(reply.context ?? "")));
}

/** Hook -> handler. Handlers get copies, so only their return values count.
 * @type {Record<string, (event: any, ctx: any) => Promise<unknown>>} */
const handlers = {
  session_start: async (event, ctx) => begin(ctx, event.resumedFrom ? "resume" : "startup", event),
  session_end: async (event, ctx) => {
    started.delete(sessionOf(ctx));
    await fire("session-end", ctx, { reason: event.reason, raw: event });
    await drain();
  },

  before_prompt_build: async (event, ctx) => {
    begin(ctx, "startup", {});
    const key = runOf(event, ctx);
    if (!prompted.has(key)) prompted.set(key, fire("turn-start", ctx, { prompt: event.prompt, raw: {} }));
    const reply = await prompted.get(key);
    const context = await started.get(sessionOf(ctx));
    return {
      ...(context ? { appendSystemContext: context } : {}),
      ...(reply?.context ? { prependContext: String(reply.context) } : {}),
    };
  },
  before_agent_run: async (event, ctx) => {
    const key = runOf(event, ctx);
    const reply = await (prompted.get(key) ?? fire("turn-start", ctx, { prompt: event.prompt, raw: {} }));
    if (reply.decision !== "deny") return undefined;
    return { outcome: "block", reason: reasonOf(reply), message: reasonOf(reply) };
  },

  before_tool_call: async (event, ctx) => {
    const reply = await fire("pre-tool-use", ctx, {
      tool_name: event.toolName,
      tool_input: event.params,
      call_id: event.toolCallId,
      raw: {},
    });
    const reason = reasonOf(reply);
    if (reply.decision === "deny") {
      refused.add(event.toolCallId);
      return { block: true, blockReason: reason };
    }
    const change = reply.input && typeof reply.input === "object" ? { params: reply.input } : {};
    if (reply.decision !== "ask") return change;
    const title = `${PLUGIN}: ${event.toolName}`;
    return { ...change, requireApproval: { title, description: reason, severity: "warning" } };
  },
  after_tool_call: async (event, ctx) => {
    if (refused.delete(event.toolCallId)) return;
    await fire(event.error ? "post-tool-use-failure" : "post-tool-use", ctx, {
      tool_name: event.toolName,
      tool_input: event.params,
      tool_output: plain(event.result),
      error: event.error,
      call_id: event.toolCallId,
      raw: { durationMs: event.durationMs },
    });
  },

  before_agent_finalize: async (event, ctx) => {
    ended.add(runOf(event, ctx));
    const reply = await fire("turn-end", ctx, {
      stop_active: event.stopHookActive,
      message: event.lastAssistantMessage,
      transcript: event.transcriptPath,
      raw: {},
    });
    if (reply.decision !== "keep-going") return undefined;
    return { action: "revise", reason: reasonOf(reply) };
  },
  agent_end: async (event, ctx) => {
    const key = runOf(event, ctx);
    prompted.delete(key);
    if (ended.delete(key)) return;
    await fire("turn-end", ctx, { error: event.error, raw: { success: event.success } });
  },

  before_compaction: async (event, ctx) => fire("pre-compact", ctx, { raw: event }),
  after_compaction: async (event, ctx) => fire("post-compact", ctx, { raw: event }),
  subagent_spawned: async (event, ctx) => fire("subagent-start", ctx, { raw: event }),
  subagent_ended: async (event, ctx) => fire("subagent-stop", ctx, { reason: event.reason, raw: event }),
};

/** Hook -> the events that need it. */
const needed = {
  session_start: ["session-start"],
  session_end: ["session-end"],
  before_prompt_build: ["session-start", "turn-start"],
  before_agent_run: ["turn-start"],
  before_tool_call: ["pre-tool-use"],
  after_tool_call: ["post-tool-use", "post-tool-use-failure"],
  before_agent_finalize: ["turn-end"],
  agent_end: ["turn-end", "turn-start"],
  before_compaction: ["pre-compact"],
  after_compaction: ["post-compact"],
  subagent_spawned: ["subagent-start"],
  subagent_ended: ["subagent-stop"],
};

export default {
  id: PLUGIN,
  name: PLUGIN,
  configSchema: { type: "object", additionalProperties: false, properties: {} },
  /** @param {any} api */
  register(api) {
    for (const [hook, events] of Object.entries(needed)) {
      const limits = events.flatMap((event) => (SLOTS[event] ? [SLOTS[event].limit] : []));
      if (!limits.length) continue;
      try {
        api.on(hook, contained(handlers[hook]), { timeoutMs: Math.max(...limits) + 1000 });
      } catch {} // a hook that this version does not know
    }
  },
};
