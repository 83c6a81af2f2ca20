import { expect, test } from "vitest";
import { decode, encode, GrowingBase64 } from "../src/reducer/base64";
import { Growing, growingOf, makeGrowing } from "../src/reducer/growing";

test("a growing field reads, enumerates and serialises as a string", () => {
  const block = makeGrowing({ type: "text", text: "a", id: "1" }, "text");
  growingOf(block).append("b");
  growingOf(block).append("c");
  expect(JSON.stringify(block)).toBe('{"type":"text","text":"abc","id":"1"}');
  block.text = "new";
  expect(block.text).toBe("new");
  expect(growingOf(block).replaced).toBe(1);
});

test("since gives what is new, wherever the chunks end and whether it was read before", () => {
  const growing = new Growing("ab");
  growing.append("cde");
  growing.append("f");
  for (let i = 0; i <= 6; i += 1) expect(growing.since(i)).toBe("abcdef".slice(i));
  growing.read();
  growing.append("gh");
  for (let i = 0; i <= 8; i += 1) expect(growing.since(i)).toBe("abcdefgh".slice(i));
});

test("what is new costs what is new, however much came before", () => {
  const growing = new Growing("");
  let touched = 0;
  for (let i = 0; i < 2000; i += 1) {
    growing.append("x");
    touched += growing.since(i).length;
  }
  expect(touched).toBe(2000);
});

test.each([
  ["TWFu", "Man"], ["TWE=", "Ma"], ["TQ==", "M"], ["", ""], ["TW Fu\n", "Man"], ["TQ==TWFu", "M"], ["T=WFu", "Man"], ["TQ=", null],
  ["TWFuT", null], ["T", null], ["TWFü", null], ["=", ""], ["TWE==", "Ma"], ["****", ""],
])("base64 %j is read as Python reads it", (given, expected) => {
  const bytes = decode(given);
  expect(bytes && new TextDecoder().decode(bytes)).toBe(expected);
});

test("encode and decode are inverse at every length around the size of a piece", () => {
  for (const size of [0, 1, 2, 3, 24_572, 24_573, 24_574, 60_001]) {
    const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 31) % 256);
    expect(Buffer.compare(decode(encode(bytes))!, bytes)).toBe(0);
  }
});

test("base64 chunks with own padding join by bytes, bad ones change nothing", () => {
  const growing = new GrowingBase64("TQ");
  expect(growing.append("TQ==")).toBe(false);
  expect(growing.get()).toBe("TQ");
  growing.set("TQ==");
  expect(growing.append("YQ==")).toBe(true);
  expect(growing.append("x")).toBe(false);
  expect(growing.append("bg==")).toBe(true);
  expect(growing.get()).toBe("TWFu");
});
