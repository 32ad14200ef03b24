// Reads and writes MCAP files by @mcap/core, for the test beside it.
import { McapIndexedReader, McapStreamReader, McapWriter } from "@mcap/core";
import { loadDecompressHandlers } from "@mcap/support";
import { readFileSync, writeFileSync } from "node:fs";

const text = (b) => new TextDecoder().decode(b);
const handlers = await loadDecompressHandlers();

// Arguments are what to do and the name of a file, in turn. What one prints ends with a line of dashes.
const args = process.argv.slice(2);
for (let i = 0; i < args.length; i += 2) {
  await { stream, index, write }[args[i]](args[i + 1]);
  console.log("---");
}

async function stream(name) {
  const reader = new McapStreamReader({ decompressHandlers: handlers, validateCrcs: true });
  reader.append(readFileSync(name));
  for (let r; (r = reader.nextRecord()); ) {
    if (r.type === "Message") console.log(`message ${r.channelId} ${r.logTime} ${text(r.data)}`);
    if (r.type === "Attachment") console.log(`attachment ${r.name} ${text(r.data)}`);
    if (r.type === "Metadata") console.log(`metadata ${r.name} ${r.metadata.size}`);
  }
  if (!reader.done()) throw new Error("the file has no end");
}

async function index(name) {
  const bytes = readFileSync(name);
  const readable = {
    size: async () => BigInt(bytes.length),
    read: async (at, size) => new Uint8Array(bytes.subarray(Number(at), Number(at + size))),
  };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers: handlers });
  let messages = 0;
  for await (const m of reader.readMessages()) messages += m.data.length > 0 ? 1 : 0;
  let attachment = "";
  for await (const a of reader.readAttachments()) attachment = text(a.data);
  const topics = [...reader.channelsById.values()].map((c) => c.topic);
  console.log(JSON.stringify({ messages, channels: reader.statistics.channelCount, topics, attachment }));
}

async function write(name) {
  const parts = [];
  let size = 0n;
  const writable = { position: () => size, write: async (b) => { parts.push(Uint8Array.from(b)); size += BigInt(b.length); } };
  const writer = new McapWriter({ writable, chunkSize: 300 });
  await writer.start({ profile: "", library: "@mcap/core" });
  const schemaId = await writer.registerSchema({ name: "number", encoding: "jsonschema", data: new TextEncoder().encode("{}") });
  const channelId = await writer.registerChannel({ schemaId, topic: "a", messageEncoding: "json", metadata: new Map([["unit", "m"]]) });
  for (let i = 0; i < 50; i++) {
    const time = BigInt(i * 1000);
    await writer.addMessage({ channelId, sequence: i, logTime: time, publishTime: time, data: new TextEncoder().encode(JSON.stringify({ value: i })) });
  }
  await writer.addAttachment({ logTime: 1n, createTime: 0n, name: "x", mediaType: "text/plain", data: new TextEncoder().encode("x") });
  await writer.addMetadata({ name: "m", metadata: new Map([["k", "v"]]) });
  await writer.end();
  writeFileSync(name, Buffer.concat(parts));
}
