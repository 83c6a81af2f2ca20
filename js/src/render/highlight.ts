// Colours for code once it is complete: strings, comments, numbers, and the words that most languages share. Not a parser.
import { h } from "./dom";

const WORDS = new Set(
  ("and as async await break case catch class const continue def default del do elif else enum except export extends false finally " +
    "fn for from func function if impl import in interface is lambda let match mod mut new nil none not null or pass private pub " +
    "public raise return self static struct super switch this throw trait true try type undefined use var void while with yield").split(" "),
);
const SQL_WORDS = new Set(
  ("and as case delete distinct drop else end exists from group having in inner is join left like limit not null offset on or order " +
    "select then union unique update using values view when where with alter by create index insert into key primary set table").split(" "),
);
const HASH = new Set(["python", "py", "bash", "sh", "shell", "yaml", "yml", "toml", "ruby", "r", "make", "dockerfile", ""]);
const PLAIN = new Set(["text", "txt", "markdown", "md", "output", "console", "diff"]);
const TOKEN =
  /("""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\.|[^`\\])*`?)|(\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|--[^\n]*|#[^\n]*)|(\b\d[\w.]*)|([A-Za-z_]\w*)/g;
const LIMIT = 50_000;

/** Does a comment of this kind exist in the language? */
function isComment(mark: string, language: string): boolean {
  if (mark.startsWith("#")) return HASH.has(language);
  if (mark.startsWith("--")) return language === "sql" || language === "lua";
  return !HASH.has(language) || language === "";
}

function kindOf(match: RegExpMatchArray, language: string): string | null {
  const [whole, text, comment, number] = match;
  if (text !== undefined) return "tok-string";
  if (comment !== undefined) return isComment(comment, language) ? "tok-comment" : null;
  if (number !== undefined) return "tok-number";
  return (language === "sql" ? SQL_WORDS.has(whole.toLowerCase()) : WORDS.has(whole)) ? "tok-word" : null;
}

/** Colour what `code` holds; its text stays the same to the letter. */
export function highlight(code: Element, language: string): void {
  const text = code.textContent ?? "";
  const name = language.trim().toLowerCase();
  if (text.length > LIMIT || PLAIN.has(name)) return;
  const nodes: (Node | string)[] = [];
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    const kind = kindOf(match, name);
    if (!kind) continue;
    nodes.push(text.slice(from, match.index), h("span", kind, {}, match[0]));
    from = match.index + match[0].length;
  }
  code.replaceChildren(...nodes, text.slice(from));
}
