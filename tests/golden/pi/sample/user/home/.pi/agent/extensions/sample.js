// Hooks of sample, placed by agent-plugin; `agent-plugin deactivate` removes this file.
import { spawn } from "node:child_process";

const PLUGIN = "sample";
const HOST = "pi";
const LAUNCHER = "/home/user/.agent-plugin/sample/launch";
/** Event -> native name, native tool names (null: every tool) and timeout in milliseconds.
 * @type {Record<string, {slot: string, native: string, tools: string[] | null, limit: number}>} */
const SLOTS = {
  "session-start": { slot: "session-start", native: "session_start", tools: null, limit: 15000 },
  "turn-start": { slot: "turn-start", native: "input", tools: null, limit: 15000 },
  "pre-tool-use": { slot: "pre-tool-use", native: "tool_call", tools: ["bash", "powershell", "read", "edit", "write", "mcp__*"], limit: 45000 },
  "post-tool-use": { slot: "post-tool-use", native: "tool_result", tools: null, limit: 15000 },
  "turn-end": { slot: "turn-end", native: "agent_before_settle", tools: null, limit: 15000 },
  "session-end": { slot: "session-end", native: "session_shutdown", tools: null, limit: 15000 },
  "pre-compact": { slot: "pre-compact", native: "session_before_compact", tools: null, limit: 15000 },
  "post-compact": { slot: "post-compact", native: "session_compact", tools: null, limit: 15000 },
  "notification": { slot: "notification", native: "ui_prompt_start", tools: null, limit: 15000 },
  "post-tool-use-failure": { slot: "post-tool-use-failure", native: "tool_result", tools: null, limit: 15000 },
  "model-switch-after": { slot: "model-switch-after", native: "model_select", tools: null, limit: 15000 },
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

/** For Pi and its fork OMP: both accept event names that they do not know.
 * @type {import("@earendil-works/pi-coding-agent").ExtensionFactory} */
export default (pi) => {
  /** The same object, for names that only one of the two has in its types.
   * @type {any} */
  const fork = pi;
  /** Context of the session's start, until a prompt carries it. */
  let startContext = "";
  /** The reply to a prompt that is on its way.
   * @type { {text: string, reply: Reply} | null} */
  let prompted = null;
  /** Tool call -> context given before the call, for after it.
   * @type {Map<string, string>} */
  const later = new Map();
  /** Whether a hook has kept the current turn going. */
  let going = false;
  /** Whether the end of the current turn is reported. */
  let ended = false;
  /** Context for the running compaction. */
  let compacting = "";

  /** @param {string} event
   * @param {any} ctx
   * @param {Payload} more
   * @returns {Promise<Reply>} */
  const fire = async (event, ctx, more) => {
    const session_id = ctx?.sessionManager?.getSessionId?.();
    const transcript = ctx?.sessionManager?.getSessionFile?.();
    const reply = await run(event, { session_id, transcript, cwd: ctx?.cwd ?? process.cwd(), ...more });
    if (reply.message && ctx?.hasUI) ctx.ui.notify(String(reply.message), "info");
    return reply;
  };

  /** @param {any} ctx
   * @param {string} text
   * @param {unknown} raw */
  const prompt = async (ctx, text, raw) => {
    going = ended = false;
    return { text, reply: await fire("turn-start", ctx, { prompt: text, raw }) };
  };

  pi.on("session_start", contained(async (event, ctx) => {
    if (event.reason === "reload") return;
    const reply = await fire("session-start", ctx, { reason: event.reason ?? "startup", raw: event });
    startContext = String(reply.context ?? "");
  }));

  // Fires before the model is asked, and in some headless runs never; only here a prompt can
  // be refused.
  pi.on("input", contained(async (event, ctx) => {
    if (event.source === "extension") return undefined;
    prompted = await prompt(ctx, event.text, event);
    if (prompted.reply.decision !== "deny") return undefined;
    if (ctx.hasUI) ctx.ui.notify(reasonOf(prompted.reply), "error");
    prompted = null;
    return { action: /** @type {const} */ ("handled"), handled: true };
  }));

  pi.on("before_agent_start", contained(async (event, ctx) => {
    const own = /** @type {any} */ (event).messageType === "custom";
    const said = own || prompted ? prompted : await prompt(ctx, event.prompt ?? "", event);
    prompted = null;
    const content = [startContext, said?.reply.context].filter(Boolean).join("\n\n");
    startContext = "";
    if (!content) return undefined;
    return { message: { customType: `agent-plugin:${PLUGIN}`, content, display: false } };
  }));

  pi.on("tool_call", contained(async (event, ctx) => {
    const reply = await fire("pre-tool-use", ctx, {
      tool_name: event.toolName,
      tool_input: event.input,
      call_id: event.toolCallId,
      raw: { parentToolCallId: event.parentToolCallId },
    });
    const reason = reasonOf(reply);
    if (reply.decision === "deny") return { block: true, reason };
    if (reply.decision === "ask") {
      const may = ctx.hasUI && (await ctx.ui.confirm(PLUGIN, `${event.toolName}: ${reason}`));
      if (!may) return { block: true, reason };
    }
    if (reply.context) later.set(event.toolCallId, String(reply.context));
    if (!reply.input || typeof reply.input !== "object") return undefined;
    // Pi reads changes in place, OMP the returned value.
    /** @type {Record<string, unknown>} */
    const input = event.input;
    for (const key of Object.keys(input)) if (!(key in reply.input)) delete input[key];
    Object.assign(input, reply.input);
    return { input: reply.input };
  }));

  pi.on("tool_result", contained(async (event, ctx) => {
    const text = event.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    const reply = await fire(event.isError ? "post-tool-use-failure" : "post-tool-use", ctx, {
      tool_name: event.toolName,
      tool_input: event.input,
      tool_output: text,
      error: event.isError ? text : undefined,
      call_id: event.toolCallId,
      raw: { details: plain(event.details) },
    });
    const context = [later.get(event.toolCallId), reply.context].filter(Boolean);
    later.delete(event.toolCallId);
    if (reply.output === undefined && !context.length) return undefined;
    const change = (/** @type {string} */ old) =>
      [reply.output === undefined ? old : asText(reply.output), ...context].join("\n\n");
    return { content: changeBlocks(event.content, change) };
  }));

  // The end of a turn that can still continue.
  pi.on("agent_before_settle", contained(async (event, ctx) => {
    if (event.outcome === "aborted") return undefined;
    const reply = await fire("turn-end", ctx, { stop_active: going, reason: event.outcome });
    ended = true;
    if (reply.decision !== "keep-going") return undefined;
    going = true;
    ended = false;
    const content = reasonOf(reply);
    const entry = { type: /** @type {const} */ ("custom_message"), customType: PLUGIN, content, display: false };
    return { entries: [...event.entries, entry], continue: true };
  }));
  pi.on("agent_settled", contained(async (event, ctx) => {
    if (!ended && !event.aborted) await fire("turn-end", ctx, { stop_active: going, raw: event });
    ended = going = false;
  }));
  fork.on("session_stop", contained(async (event, ctx) => {
    const message = event.last_assistant_message?.content;
    const reply = await fire("turn-end", ctx, {
      stop_active: event.stop_hook_active,
      message: Array.isArray(message) ? message.map((block) => block?.text ?? "").join("\n") : message,
      raw: { turn_id: event.turn_id },
    });
    if (reply.decision !== "keep-going") return undefined;
    return { decision: "block", reason: reasonOf(reply) };
  }));

  pi.on("session_before_compact", contained(async (event, ctx) => {
    const reply = await fire("pre-compact", ctx, { reason: event.reason });
    compacting = String(reply.context ?? "");
    return reply.decision === "deny" ? { cancel: true } : undefined;
  }));
  fork.on("session.compacting", contained(async () => {
    const context = compacting;
    compacting = "";
    return context ? { context: [context] } : undefined;
  }));
  pi.on("session_compact", contained(async (event, ctx) => {
    await fire("post-compact", ctx, { reason: event.reason });
  }));

  pi.on("ui_prompt_start", contained(async (event, ctx) => {
    await fire("notification", ctx, { message: event.title, reason: event.kind, raw: event });
  }));
  pi.on("model_select", contained(async (event, ctx) => {
    await fire("model-switch-after", ctx, { raw: { model: event.model?.id, source: event.source } });
  }));
  fork.on("tool_approval_requested", contained(async (event, ctx) => {
    const { toolName: tool_name, toolCallId: call_id, reason } = event;
    await fire("permission-request", ctx, { tool_name, call_id, reason, raw: event });
  }));
  fork.on("before_subagent_spawn", contained(async (event, ctx) => {
    const agent = typeof event.agent === "string" ? event.agent : event.agent?.name;
    const reply = await fire("subagent-start", ctx, { agent, raw: event });
    return reply.decision === "deny" ? { block: true, reason: reasonOf(reply) } : undefined;
  }));

  pi.on("session_shutdown", contained(async (event, ctx) => {
    if (event.reason === "reload") return;
    await fire("session-end", ctx, { reason: event.reason ?? "quit", raw: event });
    await drain();
  }));
};
