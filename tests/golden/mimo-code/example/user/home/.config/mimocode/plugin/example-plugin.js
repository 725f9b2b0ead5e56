// Hooks of example-plugin, placed by agent-plugin; `agent-plugin deactivate` removes this file.
import { spawn } from "node:child_process";

const PLUGIN = "example-plugin";
const HOST = "mimo-code";
const LAUNCHER = "/home/user/.agent-plugin/example-plugin/launch";
/** Event -> native name, native tool names (null: every tool) and timeout in milliseconds.
 * @type {Record<string, {slot: string, native: string, tools: string[] | null, limit: number}>} */
const SLOTS = {
  "session-start": { slot: "session-start", native: "session.created", tools: null, limit: 35000 },
  "pre-tool-use": { slot: "pre-tool-use", native: "tool.execute.before", tools: ["bash", "edit", "write", "apply_patch", "patch"], limit: 25000 },
  "turn-end": { slot: "turn-end", native: "session.idle", tools: null, limit: 35000 },
  "session-end": { slot: "session-end", native: "session.deleted", tools: null, limit: 35000 },
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

/** @typedef { {agent?: string} } Child */

/** State of the sessions of one project folder; it survives if the host loads the file twice. */
class Sessions {
  /** The copy of this module that acts: the one loaded last. */
  owner = {};
  /** Sessions of subagents.
   * @type {Map<string, Child>} */
  children = new Map();
  /** Session -> context of its start.
   * @type {Map<string, Promise<string>>} */
  started = new Map();
  /** Tool call -> context given before the call, for after it.
   * @type {Map<string, string>} */
  later = new Map();
  /** Session -> text that keeps it going; the host sends it back as a prompt.
   * @type {Map<string, string>} */
  going = new Map();
  /** Tool calls without a failure event: we refused or reported them.
   * @type {Set<string>} */
  settled = new Set();
}

/** @param {string} directory
 * @returns {Sessions} */
function sessionsOf(directory) {
  const key = Symbol.for(`agent-plugin:${PLUGIN}:${HOST}:user`);
  const all = /** @type {Record<symbol, Map<string, Sessions>>} */ (/** @type {unknown} */ (globalThis));
  const map = (all[key] ??= new Map());
  if (!map.has(directory)) map.set(directory, new Sessions());
  return /** @type {Sessions} */ (map.get(directory));
}

/** Text in a tool's output: a string, or the text parts of an MCP result.
 * @param {any} output
 * @param {(text: string) => string} change */
function changeOutput(output, change) {
  if (typeof output.output === "string") {
    output.output = change(output.output);
  } else if (Array.isArray(output.content)) {
    output.content.splice(0, output.content.length, ...changeBlocks(output.content, change));
  }
}

export default async (host) => {
  const directory = host?.directory ?? process.cwd();
  /** @type {any} */
  const client = host?.client;
  const known = sessionsOf(directory);
  const self = {};
  known.owner = self;

  /** @param {string} message
   * @param {string} variant */
  const show = (message, variant) => {
    const body = { message, variant };
    Promise.resolve(client?.tui?.showToast?.({ body })).catch(() => {});
  };

  /** @param {string} event
   * @param {string | undefined} session
   * @param {Payload} [more]
   * @returns {Promise<Reply>} */
  const fire = async (event, session, more = {}) => {
    if (known.owner !== self) return {};
    const reply = await run(event, { session_id: session, cwd: directory, ...more });
    if (reply.message) show(String(reply.message), "info");
    return reply;
  };

  /** Once per session: its start, whose context goes into every request.
   * @param {string} session
   * @param {string} reason
   * @param {unknown} raw */
  const begin = (session, reason, raw) => {
    if (known.owner !== self || known.children.has(session) || known.started.has(session)) return;
    const context = fire("session-start", session, { reason, raw });
    known.started.set(session, context.then((reply) => String(reply.context ?? "")));
  };

  /** @param {string} session
   * @param {string} reason
   * @param {unknown} raw */
  const end = async (session, reason, raw) => {
    if (known.owner !== self || !known.started.delete(session)) return;
    await fire("session-end", session, { reason, raw });
  };

  /** Send the reason to continue as a prompt; the host has no other way.
   * @param {string} session
   * @param {unknown} raw */
  const turnEnd = async (session, raw) => {
    const stop_active = known.going.delete(session);
    const reply = await fire("turn-end", session, { stop_active, raw });
    if (reply.decision !== "keep-going") return;
    const text = reasonOf(reply);
    known.going.set(session, text);
    await client.session.prompt({ path: { id: session }, body: { parts: [{ type: "text", text }] } });
  };

  /** The host does not wait for these, so calls must start before the first await.
   * @type {Record<string, (properties: any) => unknown>} */
  const events = {
    "session.created": (properties) => {
      const session = properties.sessionID ?? properties.info?.id;
      if (!properties.info?.parentID) return begin(session, "startup", properties);
      known.children.set(session, {});
      return fire("subagent-start", session, { agent: properties.info.agent, raw: properties });
    },
    "session.idle": (properties) => {
      const session = properties.sessionID;
      const child = known.children.get(session);
      if (!child) return turnEnd(session, properties);
      if (SLOTS["subagent-stop"]?.native !== "session.idle") return undefined;
      return fire("subagent-stop", session, { agent: child.agent, raw: properties });
    },
    "session.deleted": (properties) => {
      const session = properties.sessionID ?? properties.info?.id;
      if (known.children.delete(session)) return undefined;
      return end(session, "deleted", properties);
    },
    "session.compacted": (properties) => fire("post-compact", properties.sessionID, { raw: properties }),
    "session.error": (properties) => {
      const error = properties.error?.data?.message ?? properties.error?.name;
      return fire("stop-failure", properties.sessionID, { error, raw: properties });
    },
    "message.part.updated": ({ part, sessionID }) => {
      if (part?.type !== "tool" || part.state?.status !== "error") return undefined;
      if (known.settled.has(part.callID)) return undefined;
      known.settled.add(part.callID);
      return fire("post-tool-use-failure", part.sessionID ?? sessionID, {
        tool_name: part.tool,
        tool_input: part.state.input,
        call_id: part.callID,
        error: part.state.error,
        raw: part,
      });
    },
    "permission.asked": async (properties) => {
      const reply = await fire("permission-request", properties.sessionID, {
        tool_name: properties.permission,
        tool_input: { patterns: properties.patterns, ...properties.metadata },
        call_id: properties.tool?.callID,
        raw: properties,
      });
      const response = reply.decision === "allow" ? "once" : "reject";
      if (reply.decision !== "allow" && reply.decision !== "deny") return;
      await client.postSessionIdPermissionsPermissionId({
        path: { id: properties.sessionID, permissionID: properties.id },
        body: { response },
      });
    },
    "permission.replied": (properties) => {
      if ((properties.reply ?? properties.response) !== "reject") return undefined;
      return fire("permission-denied", properties.sessionID, { raw: properties });
    },
    "tui.toast.show": (properties) => fire("notification", undefined, { message: properties.message, raw: properties }),
    "file.edited": (properties) => fire("file-change", undefined, { raw: properties }),
  };

  /** Separate, because not every host of this dialect has it in its types. */
  const teardown = {
    dispose: contained(async () => {
      await Promise.all([...known.started.keys()].map((session) => end(session, "exit", {})));
      await drain();
    }),
  };

  return {
    ...teardown,
    event: contained(async ({ event }) => {
      await events[event.type]?.(event.properties ?? {});
    }),

    "chat.message": contained(async (input, output) => {
      const child = known.children.get(input.sessionID);
      if (child) {
        child.agent ??= input.agent ?? /** @type {any} */ (output.message)?.agent;
        return;
      }
      const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic);
      const prompt = texts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
      if (known.going.get(input.sessionID) === prompt) return;
      begin(input.sessionID, "resume", input);
      const reply = await fire("turn-start", input.sessionID, { prompt, raw: input });
      if (reply.decision === "deny") {
        show(reasonOf(reply), "error");
        throw new Refusal(reasonOf(reply));
      }
      if (!reply.context) return;
      output.parts.push({
        id: `prt_${crypto.randomUUID().replaceAll("-", "")}`,
        sessionID: input.sessionID,
        messageID: output.message.id,
        type: "text",
        text: String(reply.context),
        synthetic: true,
      });
    }),

    "experimental.chat.system.transform": contained(async (input, output) => {
      if (known.owner !== self) return;
      const context = await known.started.get(input.sessionID ?? "");
      const isTitle = output.system.some((text) => /^\s*you are a title generator/i.test(text));
      if (context && !isTitle) output.system.push(context);
    }),

    "tool.execute.before": contained(async (input, output) => {
      const reply = await fire("pre-tool-use", input.sessionID, {
        tool_name: input.tool,
        tool_input: output.args,
        call_id: input.callID,
        agent: known.children.get(input.sessionID)?.agent,
        raw: input,
      });
      if (reply.decision === "deny") {
        known.settled.add(input.callID);
        throw new Refusal(reasonOf(reply));
      }
      if (reply.input && typeof reply.input === "object") {
        // In place, because the host ignores a new object.
        for (const key of Object.keys(output.args)) if (!(key in reply.input)) delete output.args[key];
        Object.assign(output.args, reply.input);
      }
      if (reply.context) known.later.set(input.callID, String(reply.context));
    }),

    "tool.execute.after": contained(async (input, output) => {
      const earlier = known.later.get(input.callID);
      known.later.delete(input.callID);
      /** @type {any} */
      const result = output;
      const reply = await fire("post-tool-use", input.sessionID, {
        tool_name: input.tool,
        tool_input: input.args,
        tool_output: result.output ?? result.content,
        call_id: input.callID,
        agent: known.children.get(input.sessionID)?.agent,
        raw: input,
      });
      if (reply.output !== undefined) changeOutput(result, () => asText(reply.output));
      const context = [known.owner === self ? earlier : "", reply.context].filter(Boolean);
      if (context.length) changeOutput(result, (text) => [text, ...context].join("\n\n"));
    }),

    "experimental.session.compacting": contained(async (input, output) => {
      const reply = await fire("pre-compact", input.sessionID, { raw: input });
      if (reply.context) output.context.push(String(reply.context));
    }),
  };
};
